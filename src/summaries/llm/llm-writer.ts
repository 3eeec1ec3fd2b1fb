import herePrompt from '../../../prompts/summarize-here.md' with { type: 'text' };
import focusPrompt from '../../../prompts/summarize-focus.md' with { type: 'text' };
import turnPrompt from '../../../prompts/summarize-turn.md' with { type: 'text' };
import type { LanguageModel } from 'ai';
import { makeRedactor } from '../../prompt/cleaning/redactor.ts';
import { SummarizationError, withDetails } from '../../foundations/errors/summarization-error.ts';
import { ownCallMark } from '../../prompt/messages/own-options.ts';
import type { CallOptions, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { synchronousAnswer } from '../../foundations/util/async/callbacks.ts';
import { validate } from '../../foundations/checks/check-object.ts';
import { changedTemplates, resolvePrompts } from '../templates/resolve-prompts.ts';
import {
  promptsRule,
  type ResolvedPrompts,
  type SummarizationPrompts,
} from '../templates/summarization-prompts.ts';
import { fillTemplate } from '../templates/template.ts';
import { buildRecord } from '../../foundations/record/build-record.ts';
import {
  contentOf,
  itemsOf,
  renderPreviousRecord,
} from '../../foundations/record/content-items.ts';
import type { SummaryContent } from '../../foundations/record/summary-record.ts';
import { lengthInTable } from '../../sizes/tokens/context-lengths.ts';
import { cutMiddle } from '../../sizes/tokens/cut-middle.ts';
import { countText } from '../../sizes/tokens/text-counter.ts';
import { escapeJson } from '../../foundations/util/json.ts';
import { boundedMap, type BoundedMap } from '../../foundations/util/maps/bounded-map.ts';
import type { MessageFilter } from '../messages/message-filter.ts';
import {
  messagePositions,
  type TranscriptPart,
  transcriptParts,
} from '../messages/read-messages.ts';
import { modelChain, modelBreaker } from '../models/model-chain.ts';
import { maxAnswerCharacters, modelForms, type SummaryRequest } from '../models/call-model.ts';
import { mostCalls, readableAfter, readableForSummary } from '../models/readable-tokens.ts';
import { type ModelObject, nameOfModel, resolveModel } from '../models/resolve-model.ts';
import type { SummaryAnswer } from '../models/summary-answer.ts';
import { fillRecord, writeRuleBased } from '../rule-based/write-rule-based.ts';
import type { SummaryInput, SummaryStrategy } from '../strategies/summary-strategy.ts';
import {
  readTranscript,
  type ReadTranscriptOptions,
  renderTranscript,
  type SizedPart,
  splitTranscript,
  tokensIn,
} from '../transcript/read-transcript.ts';
import { groundAnswer } from '../grounding/ground-answer.ts';
import { recordRoom } from './record-room.ts';

/** Options of `llmStrategy`. A middleware passes its options of the same names on to it. */
export interface LlmStrategyOptions {
  /**
   * Summarizing models, in order of preference: if one cannot be reached, the next is asked. A string is resolved by
   * the SDK's default provider or the gateway.
   * @default the model of the conversation
   */
  readonly models?: readonly LanguageModel[] | undefined;
  /**
   * Instructions for summarizing models: texts. `loadPromptTemplates` of `ai-sdk-summarization/node` reads them from files
   * of two folders, again before each summary; `readFileSync` reads them once from any other file.
   * @default 'default' each: the texts in the package's `prompts` folder
   * @see docs/write-your-own.md#templates-in-files
   */
  readonly prompts?: SummarizationPrompts | undefined;
  /**
   * Selects the messages that a summarizing model reads, by type: whole, as a text condensed to
   * `prompts.maxSummaryChars`, or as a marker. A condensed message costs one call of that model, unless it was
   * condensed before. Together with the calls of the summary they are eight at most, and the other messages are cut.
   * The rule-based summarizer reads all messages.
   * @default 'full' each
   */
  readonly messageFilter?: MessageFilter | undefined;
  /**
   * Tokens one call of the summarizing model may read. Longer messages are read in as few pieces as possible, one
   * after the other, at most eight; the rule-based summarizer reads the oldest rest. Minimum: 500.
   * @default the summarizing model's context length, less the room for the answer
   */
  readonly maxTranscriptTokens?: number | undefined;
}

/** Milliseconds without a sign of the model after which a call counts as failed, by default. */
const defaultTimeoutMs = 60_000;

/** Milliseconds after which a call that is under way counts as failing, by default. */
const defaultSlowMs = 10_000;

/** Condensed messages kept by one strategy: some 4,000 of the usual length, a few megabytes. */
const cacheCharacters = 2_000_000;

/** Models, per namespace, whose learned limits are kept. */
const maxLearnedModels = 1000;

/** Makes the part of `llmStrategy` that loads with the first summary. Takes checked options. */
export function llmWriter(options: LlmStrategyOptions): SummaryStrategy['summarize'] {
  const kept = {
    filter: options.messageFilter ?? {},
    cache: boundedMap<string>(cacheCharacters, (key, text) => key.length + text.length),
    learned: boundedMap<number>(maxLearnedModels),
  };
  const enter = modelBreaker();
  const forms = modelForms();
  return async (given) => {
    const { model: own, namespace = '', maxWaitMs = 0 } = given;
    const { summaryTimeoutMs: timeoutMs = defaultTimeoutMs, maxCalls = mostCalls } = given;
    const { maxTranscriptTokens = options.maxTranscriptTokens } = given;
    const prompts = latestPrompts(options.prompts, given);
    const input = { ...given, maxTranscriptTokens };
    const models = options.models ?? [own];
    const chain = modelChain({
      ...given,
      models,
      enter: (model) => enter(model, namespace, maxWaitMs === 0 ? defaultSlowMs : maxWaitMs),
      forms,
      timeoutMs,
      clean: makeRedactor(given.redact),
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
      const here = options.models ? undefined : await requestHere(given, prompts.summary.system);
      const answer = here && (await chain.askOnce(here));
      const most = Math.min(mostCalls, maxCalls);
      const content = answer
        ? await groundAnswer(input, answer)
        : await summarizeTranscript({ ...kept, prompts, input, chain, models, most });
      const planned = { ...content, plan: given.plan };
      const toolResults = { ...given.toolResults, preserveErrorDetails: false };
      const filled = await fillRecord(input, planned, toolResults, true);
      return { content: filled ?? planned, usage: chain.soFar.usage };
    } catch (error) {
      if (!SummarizationError.isInstance(error)) throw error;
      throw withDetails(error, { usage: chain.soFar.usage });
    }
  };
}

/** The last prompts by the function that returned them: strategies that are made anew for each request share them. */
const lastPrompts = new WeakMap<() => SummarizationPrompts, ResolvedPrompts>();

/** Reads the prompts again, and reports those that have changed. After a failure they stay as they were. */
function latestPrompts(
  options: SummarizationPrompts = {},
  { onPromptsReloaded, onReloadFailure }: SummaryInput,
): ResolvedPrompts {
  const { reload } = options;
  const before = (reload && lastPrompts.get(reload)) ?? resolvePrompts(options);
  if (reload === undefined) return before;
  try {
    const now = resolvePrompts(
      validate(promptsRule(), synchronousAnswer(reload()), 'prompts', 'prompts.'),
    );
    lastPrompts.set(reload, now);
    const templates = changedTemplates(before, now);
    if (templates.length > 0) onPromptsReloaded?.(templates);
    return now;
  } catch (error) {
    onReloadFailure?.(error);
    return before;
  }
}

/** Least output tokens for a record, if the call asks for a shorter answer. */
const leastOutputTokens = 4000;

/**
 * Makes the request for a record at the end of the very prompt that the provider has cached, with the same settings,
 * and tools that are not to be called.
 *
 * @param instructions - How a record is written.
 * @returns `undefined` if a record cannot be asked for there.
 */
async function requestHere(
  input: SummaryInput,
  instructions: string,
): Promise<SummaryRequest | undefined> {
  const { model, conversation } = input;
  if (conversation === undefined || !canAskIn(conversation)) return undefined;
  const { prompt, tools = [], maxOutputTokens, providerOptions } = conversation;
  const mayChoose = tools.length > 0 && !keepsChoice.test(`${model.provider} ${model.modelId}`);
  const parts = await transcriptParts(input.messages, input.redact);
  const room = await recordRoom(input, parts);
  const here = fillTemplate(herePrompt, { content: String(input.recentMessages ?? 0), ...room });
  const text = `${here}\n${instructions}`;
  const asked: CallOptions = {
    ...conversation,
    prompt: [...prompt, { role: 'user', content: [{ type: 'text', text }] }],
    ...(mayChoose && { toolChoice: { type: 'none' } }),
    ...(maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: Math.max(maxOutputTokens, leastOutputTokens) }),
    providerOptions: { ...providerOptions, ...ownCallMark },
  };
  const send = async (abortSignal: AbortSignal) => {
    const { content, usage, finishReason } = await model.doGenerate({ ...asked, abortSignal });
    // A tool call continues the conversation, and a cut answer is incomplete: a transcript is read instead.
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
  return { kind: 'record', instructions, prompt: text, send };
}

/**
 * Whether a record can be asked for: a user message may follow, the answer may be a text of any form, and no call has
 * just been approved, which the provider would run here and again in the conversation's own call.
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

/** Models whose cache loses the messages if the tool choice changes. */
const keepsChoice = /anthropic|claude/i;

/** Factor by which a piece may exceed its even share, so that the last one is not longer than the others. */
const unevenness = 1.1;

/** The messages of a summary, and the means to summarize them. */
interface Reading extends Pick<ReadTranscriptOptions, 'prompts' | 'filter' | 'cache' | 'chain'> {
  readonly input: SummaryInput;
  readonly models: readonly LanguageModel[];
  /** Tokens that a model reads after it refused more, by {@link learnedKey}. */
  readonly learned: BoundedMap<number>;
  /** Most calls of models for the summary, failed and earlier ones included; one is made in any case. */
  readonly most: number;
}

/** The part of a transcript that is still to be read. */
interface Progress {
  /** The messages of the rest, on top of the record of those before. */
  readonly input: SummaryInput;
  readonly rest: readonly SizedPart[];
}

/** The piece that one call reads, and the rest after it. */
interface Piece extends Progress {
  readonly read: SummaryInput;
  /** Calls for the rest, this one included. */
  readonly calls: number;
}

/**
 * Summarizes the messages of an input: in one call where the model can read them at once, else in as few pieces as its
 * room allows, one after the other, each on top of the record of those before. The rule-based summarizer reads the
 * oldest messages if they are more than the calls can read.
 *
 * @throws SummarizationError; the reason of an abort.
 */
async function summarizeTranscript(reading: Reading): Promise<SummaryContent> {
  const { input, chain, models, most } = reading;
  const { previous, model } = input;
  // The model that is asked first says how much can be read in one call.
  const first = await resolveModel(models[0] ?? model).catch(() => model);
  const { room } = await requestsFor(reading, input, first);
  const mostToCondense = most - chain.soFar.calls - 1;
  const parts = await readTranscript(input, { ...reading, room, mostCalls: mostToCondense });
  // Messages without a text, such as reasoning alone, add nothing to a record.
  if (parts.length === 0) {
    if (previous) return contentOf(previous, itemsOf(previous));
    const message = 'The summary is not smaller than the messages it would replace.';
    throw new SummarizationError({ reason: 'not-smaller', message });
  }
  let progress: Progress = { input, rest: parts };
  for (let read = 1; ; read += 1) {
    const left = Math.max(1, most - chain.soFar.calls);
    const { answer, piece } = await askForPiece(reading, progress, left);
    const content = await groundAnswer(piece.read, answer);
    const total = read - 1 + piece.calls;
    if (total > 1) input.onProgress?.({ layer: 1, completed: read, total });
    const [next] = piece.rest;
    if (next === undefined) return content;
    progress = continued(piece, content, next.index);
  }
}

/** Asks a model for the record of what it can read of the rest. */
async function askForPiece(
  reading: Reading,
  progress: Progress,
  left: number,
): Promise<{ readonly answer: SummaryAnswer; readonly piece: Piece }> {
  const { input, chain, learned } = reading;
  const all: Piece = { ...progress, rest: [], read: input, calls: 1 };
  let sent = { piece: all, tokens: Infinity };
  let refusals = 0;
  const answer = await chain.ask(async (model, overflow) => {
    const refusedTokens = overflow ? sent.tokens : Infinity;
    refusals = overflow === undefined ? 0 : refusals + 1;
    if (overflow) learned.set(learnedKey(input, model), readableAfter(overflow, refusedTokens));
    if (refusals > 1) return undefined;
    const { piece, request } = await nextPiece(reading, progress, model, left);
    const tokens = await countText(request.instructions + request.prompt);
    if (tokens >= refusedTokens) return undefined;
    sent = { piece, tokens };
    return { ...request, tokens };
  });
  return { answer, piece: sent.piece };
}

/** Chooses what a model reads next: as much as it can, but no more than is left for the other calls. */
async function nextPiece(
  reading: Reading,
  progress: Progress,
  model: ModelObject,
  left: number,
): Promise<{ readonly piece: Piece; readonly request: SummaryRequest }> {
  let from = progress;
  let { room, write } = await requestsFor(reading, from.input, model);
  if (tokensIn(from.rest) > left * room) {
    // The record of the rule-based summarizer takes room as well.
    from = await leaveToRules(from, left * room * (1 - priorShare));
    ({ room, write } = await requestsFor(reading, from.input, model));
  }
  const size = tokensIn(from.rest);
  const calls = Math.min(left, Math.ceil(size / room));
  const even = Math.min(room, Math.ceil((size / calls) * unevenness));
  const most = calls === 1 ? size : even;
  const { piece, rest } = await splitTranscript(from.rest, most);
  const read = beginningOf(from.input, piece, rest);
  const request = await write(read, piece);
  return { piece: { input: from.input, read, rest, calls }, request };
}

/** Lets the rule-based summarizer read the oldest messages beyond so many tokens. */
async function leaveToRules(progress: Progress, most: number): Promise<Progress> {
  const { input } = progress;
  const beyond = tokensIn(progress.rest) - most;
  const { piece, rest } = await splitTranscript(progress.rest, beyond);
  const [next] = rest;
  if (next === undefined) return progress;
  const toolResults = { ...input.toolResults, preserveErrorDetails: true };
  const content = await writeRuleBased(beginningOf(input, piece, rest), toolResults);
  input.log?.(
    'the rule-based summarizer reads the oldest messages: they are more than the calls of one summary can read',
  );
  return continued({ input, rest }, content, next.index);
}

/** Returns an input without the messages after a piece of it. */
function beginningOf(
  input: SummaryInput,
  piece: readonly SizedPart[],
  rest: readonly SizedPart[],
): SummaryInput {
  if (rest.length === 0) return input;
  const { positionOf } = messagePositions(input);
  const last = piece.at(-1)?.index ?? 0;
  return { ...input, messages: input.messages.filter((_, index) => positionOf(index) <= last) };
}

/** Continues with the next part, on top of a record of all messages before it. */
function continued({ input, rest }: Progress, content: SummaryContent, from: number): Progress {
  const { positionOf } = messagePositions(input);
  const messages = input.messages.filter((_, index) => positionOf(index) >= from);
  const frame = { key: '', depth: 0, prefixDigest: '', strategy: 'llm' };
  const counts = { coveredMessages: from, inputTokens: 0, degraded: false };
  const previous = buildRecord({ ...frame, ...counts }, content, 0);
  return { input: { ...input, messages, previous, usePreviousNarrative: true }, rest };
}

/** Share of a model's readable tokens that the previous record may take: it must leave room for the messages. */
const priorShare: number = 1 / 3;

/** Makes the key of a learned limit: a refusal in one namespace is no limit for the texts of another. */
function learnedKey(
  { namespace = '' }: Pick<SummaryInput, 'namespace'>,
  model: ModelIdentity,
): string {
  return JSON.stringify([namespace, nameOfModel(model)]);
}

/**
 * Prepares requests to a model for the summary of an input: the tokens of messages that one call may read, and the
 * function that writes the request for the first messages.
 */
async function requestsFor(
  { prompts: { summary: prompts }, learned }: Reading,
  input: SummaryInput,
  model: ModelIdentity,
) {
  const { previous, usePreviousNarrative, redact } = input;
  const whole = previous
    ? renderPreviousRecord(previous, usePreviousNarrative, makeRedactor(redact))
    : '';
  const further = usePreviousNarrative ? prompts.update : prompts.rebase;
  const template = previous === undefined ? prompts.first : further;
  const focus = focusOf(input);
  const framing = prompts.system + template + turnOf(input) + focus;
  const around = await countText(framing);
  const most = learned.get(learnedKey(input, model)) ?? Number.POSITIVE_INFINITY;
  const readable = Math.min(readableForSummary(input, model), most);
  const room = Math.max(readable - around, Math.floor(readable / 4));
  const prior = await countText(whole);
  const share = Math.floor(priorShare * room);
  const priorSummary =
    prior <= share
      ? whole
      : escapeJson(cutMiddle(whole, Math.floor((whole.length * share) / prior)).text);
  const write = async (
    read: SummaryInput,
    parts: readonly TranscriptPart[],
  ): Promise<SummaryRequest> => {
    const asked = fillTemplate(template, {
      content: renderTranscript(parts),
      context: escapeJson({ messages: read.messages.length }),
      prior_summary: priorSummary,
      ...(await recordRoom(input, parts)),
    });
    return {
      kind: 'record',
      instructions: prompts.system,
      prompt: asked + turnOf(read) + focus,
    };
  };
  return { room: room - Math.min(prior, share), write };
}

/**
 * Writes which messages begin an unfinished user turn: their end is no answer, and other messages, or an earlier
 * record, come before the turn. Empty if there are none.
 */
function turnOf(input: SummaryInput): string {
  const { messages, previous } = input;
  const last = messages.at(-1);
  const calls = last?.role === 'assistant' && last.content.some(({ type }) => type === 'tool-call');
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const isApart = start > 0 || (start === 0 && previous !== undefined);
  if (!isApart || (last?.role !== 'tool' && !calls)) return '';
  const position = messagePositions(input).positionOf(start);
  return `\n${fillTemplate(turnPrompt, { content: String(position) })}`;
}

/** Writes the caller's guidance for this one summary, as JSON with an explanation; empty without guidance. */
function focusOf({ instructions = '' }: SummaryInput): string {
  return instructions.trim() === ''
    ? ''
    : `\n${fillTemplate(focusPrompt, { content: escapeJson(instructions) })}`;
}
