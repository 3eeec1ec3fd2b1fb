import herePrompt from '../../../prompts/summarize-here.md' with { type: 'text' };
import { redactionDoor } from '../../cleaning/redaction-door.ts';
import { SummarizationError, withDetails } from '../../errors/summarization-error.ts';
import type { CallOptions } from '../../prompt/prompt-types.ts';
import { resolvePrompts } from '../../prompts/resolve-prompts.ts';
import type { SummarizationPrompts } from '../../prompts/summarization-prompts.ts';
import { fillTemplate } from '../../prompts/template.ts';
import { lengthInTable } from '../../tokens/context-lengths.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import type { MessageFilter } from '../messages/message-filter.ts';
import { askModels } from '../models/ask-models.ts';
import { modelBreaker } from '../models/breaker.ts';
import { maxAnswerCharacters, modelManners, type SummaryRequest } from '../models/call-model.ts';
import { mostCalls } from '../models/readable-tokens.ts';
import { ownCallMark } from '../../prompt/own-options.ts';
import { nameOfModel } from '../models/resolve-model.ts';
import { fillRecord } from '../rule-based/write-by-rules.ts';
import type { SummaryInput, SummaryStrategy } from '../summary-strategy.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { mergeAnswer } from './merge-answer.ts';
import { summarizeTranscript } from './summarize-transcript.ts';
import type { LanguageModel } from 'ai';

/** Options of `llmStrategy`; those of the same name of a middleware are handed on to it. */
export interface LlmStrategyOptions {
  /**
   * Models to summarise with, in order of preference: the next one is asked when one cannot be reached.
   * A string is resolved by the SDK's default provider or the gateway.
   * @default the model whose conversation is summarised
   */
  readonly models?: readonly LanguageModel[] | undefined;
  /**
   * What models are instructed with. Files are read by `loadPromptTemplates` of
   * `ai-sdk-summarization/node`.
   * @default 'default' each: the texts in the package's `prompts` folder
   */
  readonly prompts?: SummarizationPrompts | undefined;
  /**
   * What a summarising model reads of each type of message: all of it, a text condensed to `prompts.maxSummaryChars`,
   * or a marker that it was there. A condensed message costs one call of that model, unless it was condensed before.
   * Rules, which ask no model, read all of them.
   * @default 'full' each
   */
  readonly messageFilter?: MessageFilter | undefined;
  /**
   * Tokens one call of the summarising model may read. What is longer is read in as few pieces as it takes, one after
   * the other, at most eight; what comes before those is left to the rules. Minimum: 500.
   * @default the summarising model's context length, less room for the answer
   */
  readonly maxTranscriptTokens?: number | undefined;
}

/** Milliseconds without a sign of the model after which a call counts as failed, where nobody says. */
const defaultTimeoutMs = 60_000;

/** Milliseconds after which a call that is under way counts as failing, where nobody says. */
const defaultSlowMs = 10_000;

/** Condensed messages kept by one strategy: some 4,000 of the usual length, a few megabytes. */
const cacheCharacters = 2_000_000;

/** Models of which is kept how much they read, for each namespace. */
const maxLearnedModels = 1000;

/** Makes the part of `llmStrategy` that loads with the first summary. Takes checked options. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function llmWriter(options: LlmStrategyOptions): SummaryStrategy['summarize'] {
  const prompts = resolvePrompts(options.prompts);
  const { messageFilter: filter = {} } = options;
  const cache = boundedMap<string>(cacheCharacters, (key, text) => key.length + text.length);
  const enter = modelBreaker();
  const manners = modelManners();
  const learned = boundedMap<number>(maxLearnedModels);
  // oxlint-disable-next-line max-lines-per-function -- one call, what it is given a line each
  return async (given) => {
    const { model: own, namespace = '', previous, maxWaitMs = 0 } = given;
    const { summaryTimeoutMs: timeoutMs = defaultTimeoutMs, maxCalls = mostCalls } = given;
    const { maxTranscriptTokens = options.maxTranscriptTokens } = given;
    const input = { ...given, maxTranscriptTokens };
    const panel = askModels({
      ...given,
      models: options.models ?? [own],
      enter: (model) => enter(model, namespace, maxWaitMs === 0 ? defaultSlowMs : maxWaitMs),
      manners,
      timeoutMs,
      clean: redactionDoor(given.redact),
      contextLengthOf: (model) => {
        const isOwn = nameOfModel(model) === nameOfModel(own);
        const { known, contextLength } = lengthInTable(model);
        const usual = known ? contextLength : undefined;
        const declared = given.declaredContextLength?.(model);
        return declared ?? (isOwn ? given.contextLength : undefined) ?? usual;
      },
    });
    given.abortSignal?.throwIfAborted();
    try {
      // Another model has nothing of the conversation in its cache.
      const here = options.models === undefined && requestHere(given, prompts.summary.system);
      const answer = here && (await panel.askOnce(here));
      const most = Math.min(mostCalls, maxCalls) - panel.calls();
      const content = answer
        ? await mergeAnswer(input, answer)
        : await summarizeTranscript({
            input,
            parts: await readTranscript(input, { panel, prompts, cache, filter }),
            prompts: prompts.summary,
            panel,
            most,
            learned,
          });
      const telling = { extractors: {}, preserveErrorDetails: false };
      const filled = await fillRecord(input, content, previous?.minutes ?? '', telling);
      return { content: filled ?? content, usage: panel.usage() };
    } catch (error) {
      if (!SummarizationError.isInstance(error)) throw error;
      throw withDetails(error, { usage: panel.usage() });
    }
  };
}

/** Room that a record needs where the call asks for a short answer. */
const leastOutputTokens = 4000;

/**
 * Asks for a record at the end of the very prompt that the provider has in its cache, with settings as they are, and
 * tools that are not to be called.
 *
 * @param instructions - How a record is written.
 * @returns `undefined` where it cannot be asked for.
 */
function requestHere(input: SummaryInput, instructions: string): SummaryRequest | undefined {
  const { model, conversation } = input;
  if (conversation === undefined || !canAskIn(conversation)) return undefined;
  const { prompt, tools = [], maxOutputTokens, providerOptions } = conversation;
  const mayChoose = tools.length > 0 && !keepsChoice.test(`${model.provider} ${model.modelId}`);
  const here = fillTemplate(herePrompt, { content: String(input.recentMessages ?? 0) });
  const text = `${here}\n${instructions}`;
  const asked: CallOptions = {
    ...conversation,
    prompt: [...prompt, { role: 'user', content: [{ type: 'text', text }] }],
    ...(mayChoose && { toolChoice: { type: 'none' } }),
    ...(maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: Math.max(maxOutputTokens, leastOutputTokens) }),
    providerOptions: { ...providerOptions, ...ownCallMark() },
  };
  const send = async (abortSignal: AbortSignal) => {
    const { content, usage, finishReason } = await model.doGenerate({ ...asked, abortSignal });
    // Who calls a tool goes on with the conversation; what is cut off is read better from a transcript.
    const isText = content.every(({ type }) => type === 'text' || type === 'reasoning');
    const isWhole = isText && finishReason.unified === 'stop';
    const said = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const { inputTokens, outputTokens } = usage;
    return {
      text: isWhole ? said.slice(0, maxAnswerCharacters) : undefined,
      finishReason: finishReason.unified,
      usage: { inputTokens: inputTokens.total, outputTokens: outputTokens.total },
    };
  };
  return { kind: 'update', instructions, prompt: text, send };
}

/**
 * Whether a record can be asked for: a message of the user may follow, the answer may be a text of any form, and no
 * call that has just been approved would be run by the provider, which the conversation's own call has it run too.
 */
function canAskIn({ prompt, toolChoice, responseFormat }: CallOptions): boolean {
  const isOpen = toolChoice === undefined || ['auto', 'none'].includes(toolChoice.type);
  const unanswered = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1);
  const isInTurn = ['user', 'tool'].includes(prompt.at(-1)?.role ?? '');
  const isApproved = unanswered.some(
    ({ role, content }) =>
      role === 'tool' && content.some(({ type }) => type === 'tool-approval-response'),
  );
  return isOpen && responseFormat?.type !== 'json' && isInTurn && !isApproved;
}

/** Models whose cache loses the messages with another choice of tools. */
const keepsChoice = /anthropic|claude/i;
