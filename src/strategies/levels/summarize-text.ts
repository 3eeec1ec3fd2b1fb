import { SummarizationError } from '../../errors/summarization-error.ts';
import { SummarizationOptionError } from '../../errors/summarization-option-error.ts';
import { harmlessly } from '../../util/harmlessly.ts';
import { compressionRatio } from '../../util/compression-ratio.ts';
import { summaryLevelOf } from '../../record/summary-level.ts';
import type { SummaryLevel } from '../../record/summary-record.ts';
import { redactFailure, textDoor, withheldText, type TextDoor } from '../../cleaning/text-door.ts';
import { availableTextCounter } from '../../tokens/text/available-text-counter.ts';
import { countText } from '../../tokens/text/count-text.ts';
import { timeSlices } from '../../util/time-slices.ts';
import { askModels } from '../models/ask-models.ts';
import { circuitBreaker } from '../models/circuit-breaker.ts';
import { escapeJson } from '../../json/escape-json.ts';
import { readableTokens } from '../models/readable-tokens.ts';
import { nameOfModel, resolveModel, type ModelObject } from '../models/resolve-model.ts';
import { promptFor, resolveLevelPrompts } from './level-prompts.ts';
import { openCache } from './open-cache.ts';
import { readLimits } from './read-limits.ts';
import { summarizeInChunks } from './summarize-in-chunks.ts';
import type { SummarizeOptions } from './summarize-options.ts';
import { summarizeSettings } from './summarize-settings.ts';
import type { SummaryResult } from '../../record/summary-result.ts';
import { summaryWriter } from './summary-writer.ts';
import { targetTokens } from './target-tokens.ts';

/** The part of `summarize` that loads when it is called. */
export async function summarizeText(
  content: string,
  options: SummarizeOptions,
): Promise<SummaryResult> {
  if (typeof content !== 'string')
    throw new SummarizationOptionError({ option: 'content', value: content, allowed: 'a string' });
  const settings = summarizeSettings(options);
  const prompts = resolveLevelPrompts(options.prompts);
  const { abortSignal } = options;
  const clean = textDoor(options.redact);
  const { contentType, timeoutMs } = settings;
  abortSignal?.throwIfAborted();
  const text = passed(content, clean);
  // Nothing is loaded for nothing.
  if (text.trim() === '') return result('NONE', 0, '', 0);

  const { count } = await availableTextCounter();
  const slices = timeSlices({ abortSignal });
  const sizeOf = (piece: string): Promise<number> => countText(piece, count, slices);
  const inputTokens = await sizeOf(text);
  const level = summaryLevelOf(inputTokens, settings.thresholds);
  if (level === 'NONE') return result(level, inputTokens, text.trim(), await sizeOf(text.trim()));

  const model = await modelOf(options, level);
  const { priorSummary, room, maxSummaryTokens } = await readLimits({
    readable: readableTokens(model, options.contextLength),
    templates: Object.values(prompts),
    prior: escapeJson(priorText(options, clean)),
    count: sizeOf,
  });
  const isReadable = inputTokens <= room && (await sizeOf(escapeJson(text))) <= room;
  const usedLevel = isReadable || level === 'HIERARCHICAL' ? level : 'DETAILED';
  const panel = askModels({
    models: [model],
    enter: circuitBreaker(),
    timeoutMs,
    clean,
    keepsCauses: true,
    telemetry: options.telemetry,
    abortSignal,
  });
  const write = summaryWriter({
    ask: panel.write,
    cache: openCache(options, model),
    clean,
    models: nameOfModel(model),
    priorSummary,
    contentType,
    level: usedLevel,
    count,
    slices,
  });
  if (usedLevel === 'DETAILED' || usedLevel === 'HIERARCHICAL') {
    const { summary, hierarchical } = await summarizeInChunks(text, {
      ...settings,
      inputTokens,
      level: usedLevel,
      room,
      maxSummaryTokens,
      templates: { chunk: promptFor(prompts, contentType, 'chunk'), meta: prompts.meta },
      write,
      count,
      slices,
      onProgress: (progress) => harmlessly(() => options.onProgress?.(progress)),
    });
    return result(usedLevel, inputTokens, summary.content, summary.tokenCount, hierarchical);
  }
  const { content: summary, tokenCount } = await write({
    template: promptFor(prompts, contentType, usedLevel === 'BRIEF' ? 'brief' : 'standard'),
    content: escapeJson(text.trim()),
    sourceTokens: inputTokens,
    targetTokens: targetTokens(usedLevel, inputTokens),
  });
  return result(usedLevel, inputTokens, summary, tokenCount);
}

/** What came before, `null` for nothing: JSON has a word for that, and so have the prompts. */
function priorText({ priorSummary = '' }: SummarizeOptions, clean: TextDoor): string | null {
  const given = typeof priorSummary === 'string' ? priorSummary : priorSummary.summary;
  const text = passed(given, clean).trim();
  return text === '' ? null : text;
}

/** There is nothing to summarise where the whole of a text was withheld. */
function passed(given: string, clean: TextDoor): string {
  const text = clean(given);
  if (text === withheldText) throw redactFailure();
  return text;
}

async function modelOf(options: SummarizeOptions, level: SummaryLevel): Promise<ModelObject> {
  try {
    return await resolveModel(options.model);
  } catch (cause) {
    const message = 'The summarising model is not known.';
    throw new SummarizationError({ reason: 'transport', message, level, cause });
  }
}

function result(
  level: SummaryLevel,
  inputTokens: number,
  summary: string,
  outputTokens: number,
  hierarchical?: SummaryResult['hierarchical'],
): SummaryResult {
  return {
    level,
    summary,
    ...(hierarchical === undefined ? {} : { hierarchical }),
    inputTokens,
    outputTokens,
    compressionRatio: compressionRatio(inputTokens, outputTokens),
  };
}
