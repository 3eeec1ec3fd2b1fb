import { SummarizationError } from '../../errors/summarization-error.ts';
import { SummarizationOptionError } from '../../errors/summarization-option-error.ts';
import { harmlessly } from '../../util/async/harmlessly.ts';
import { compressionRatio } from '../../util/compression-ratio.ts';
import { summaryLevelOf } from '../../record/summary-level.ts';
import type { SummaryLevel } from '../../record/summary-record.ts';
import {
  redactFailure,
  redactionDoor,
  withheldText,
  type RedactionDoor,
} from '../../cleaning/redaction-door.ts';
import { availableTextCounter } from '../../tokens/text/load-text-counter.ts';
import { countText, type TextReading } from '../../tokens/text/count-text.ts';
import { timeSlices } from '../../util/async/time-slices.ts';
import { askModels } from '../models/ask-models.ts';
import { modelBreaker } from '../models/breaker.ts';
import { escapeJson } from '../../json/escape-json.ts';
import { readableTokens } from '../models/readable-tokens.ts';
import { nameOfModel, resolveModel, type ModelObject } from '../models/resolve-model.ts';
import { promptFor, resolveLevelPrompts, type LevelPrompts } from './level-prompts.ts';
import { openCache } from './summary-cache.ts';
import { readLimits } from './read-limits.ts';
import { summarizeInChunks } from './summarize-in-chunks.ts';
import type { SummarizeOptions } from './summarize-options.ts';
import { summarizeSettings, type SummarizeSettings } from './summarize-settings.ts';
import type { SummaryResult } from '../../record/summary-result.ts';
import { summaryWriter, type SummaryWriter, type WrittenSummary } from './summary-writer.ts';
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
  options.abortSignal?.throwIfAborted();
  const clean = redactionDoor(options.redact);
  const text = passed(content, clean);
  // Nothing is loaded for nothing.
  if (text.trim() === '') return result('NONE', 0, { content: '', tokenCount: 0 });
  const { count } = await availableTextCounter();
  const slices = timeSlices({ abortSignal: options.abortSignal });
  const inputTokens = await countText(text, count, slices);
  const level = summaryLevelOf(inputTokens, settings.thresholds);
  const source = { text, inputTokens, level, clean, count, slices };
  if (level !== 'NONE') return writeLevel(source, { ...options, ...settings, prompts });
  const tokenCount = await countText(text.trim(), count, slices);
  return result(level, inputTokens, { content: text.trim(), tokenCount });
}

/** A text to be summarised, and how it is read. */
interface TextSource extends TextReading {
  readonly text: string;
  readonly inputTokens: number;
  readonly level: SummaryLevel;
  readonly clean: RedactionDoor;
}

type LevelOptions = Omit<SummarizeOptions, keyof SummarizeSettings | 'prompts'> &
  SummarizeSettings & { readonly prompts: LevelPrompts };

/** Summarises a text at its level, or in chunks where the model cannot read it at once. */
async function writeLevel(source: TextSource, options: LevelOptions): Promise<SummaryResult> {
  const { text, inputTokens, clean, count, slices } = source;
  const { prompts, contentType } = options;
  const model = await resolveModel(options.model).catch((cause: unknown) => {
    const message = 'The summarising model is not known.';
    throw new SummarizationError({ reason: 'transport', message, level: source.level, cause });
  });
  const sizeOf = (piece: string): Promise<number> => countText(piece, count, slices);
  const { priorSummary, room, maxSummaryTokens } = await readLimits({
    readable: readableTokens(model, options.contextLength),
    templates: Object.values(prompts),
    prior: escapeJson(priorText(options, clean)),
    count: sizeOf,
  });
  const isReadable = inputTokens <= room && (await sizeOf(escapeJson(text))) <= room;
  const level = isReadable || source.level === 'HIERARCHICAL' ? source.level : 'DETAILED';
  const write = writerFor({ ...source, level }, options, { model, priorSummary });
  if (level === 'DETAILED' || level === 'HIERARCHICAL') {
    const templates = { chunk: promptFor(prompts, contentType, 'chunk'), meta: prompts.meta };
    const onProgress: SummarizeOptions['onProgress'] = (progress) =>
      harmlessly(() => options.onProgress?.(progress));
    const parts = { ...options, ...source, level, room, maxSummaryTokens, templates, write };
    const { summary, hierarchical } = await summarizeInChunks(text, { ...parts, onProgress });
    return result(level, inputTokens, summary, hierarchical);
  }
  const summary = await write({
    template: promptFor(prompts, contentType, level === 'BRIEF' ? 'brief' : 'standard'),
    content: escapeJson(text.trim()),
    sourceTokens: inputTokens,
    targetTokens: targetTokens(level, inputTokens),
  });
  return result(level, inputTokens, summary);
}

function writerFor(
  source: TextSource,
  options: LevelOptions,
  { model, priorSummary }: { readonly model: ModelObject; readonly priorSummary: string },
): SummaryWriter {
  const { clean } = source;
  const enter = modelBreaker();
  const { write: ask } = askModels({
    ...options,
    models: [model],
    enter: (name) => enter(name, ''),
    contextLengthOf: () => options.contextLength,
    clean,
    keepsCauses: true,
  });
  const cache = openCache(options, model);
  const models = nameOfModel(model);
  return summaryWriter({ ...options, ...source, ask, cache, models, priorSummary });
}

/** What came before, `null` for nothing: JSON has a word for that, and so have the prompts. */
function priorText(
  { priorSummary = '' }: Pick<SummarizeOptions, 'priorSummary'>,
  clean: RedactionDoor,
): string | null {
  const given = typeof priorSummary === 'string' ? priorSummary : priorSummary.summary;
  const text = passed(given, clean).trim();
  return text === '' ? null : text;
}

/** There is nothing to summarise where the whole of a text was withheld. */
function passed(given: string, clean: RedactionDoor): string {
  const text = clean(given);
  if (text === withheldText) throw redactFailure();
  return text;
}

function result(
  level: SummaryLevel,
  inputTokens: number,
  { content, tokenCount }: WrittenSummary,
  hierarchical?: SummaryResult['hierarchical'],
): SummaryResult {
  return {
    level,
    summary: content,
    ...(hierarchical === undefined ? {} : { hierarchical }),
    inputTokens,
    outputTokens: tokenCount,
    compressionRatio: compressionRatio(inputTokens, tokenCount),
  };
}
