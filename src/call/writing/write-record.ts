import { cleanContent, cleanRecord } from '../../prompt/cleaning/clean-content.ts';
import {
  type Redact,
  type Redactor,
  redactFailure,
  makeRedactor,
  withheldText,
} from '../../prompt/cleaning/redactor.ts';
import { visibleText } from '../../prompt/cleaning/visible-text.ts';
import {
  costliestId,
  emptyNarrative,
  omittedSummary,
  renderSummary,
} from '../../planning/composing/render-summary.ts';
import { SummarizationError, withDetails } from '../../foundations/errors/summarization-error.ts';
import { fitContent } from '../fitting/fit-content.ts';
import type { TriggerReason } from '../../planning/plan/decide.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import type { Message, Prompt } from '../../prompt/messages/prompt-types.ts';
import { withoutRecalled } from '../../prompt/messages/message-parts.ts';
import {
  buildRecord,
  recordIdOf,
  type RecordFrame,
} from '../../foundations/record/build-record.ts';
import {
  type ContentItem,
  emptiedContent,
  emptyContent,
  itemsOf,
  mapItems,
  textsOf,
  withItems,
} from '../../foundations/record/content-items.ts';
import { summaryContentSchema } from '../../foundations/record/record-schemas.ts';
import {
  type SummaryContent,
  type SummaryRecord,
  modelOrigin,
} from '../../foundations/record/summary-record.ts';
import type { CallReporter } from '../report/reporter.ts';
import type { TokenMeasure } from '../../planning/sizing/token-measure.ts';
import { planState } from '../../summaries/messages/plan-state.ts';
import {
  messagePositions,
  type TranscriptPart,
  transcriptParts,
} from '../../summaries/messages/read-messages.ts';
import { dialogueSpeakers } from '../../summaries/messages/own-words.ts';
import type {
  SummaryAttempt,
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from '../../summaries/strategies/summary-strategy.ts';
import { abortable, beginDeadline, clockMs } from '../../foundations/util/async/waiting.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import { scoreOf } from './score-record.ts';

/** A summary to be written. */
export interface RecordRequest {
  /** The first strategy; `undefined` for `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  /** Writes when `strategy` fails. */
  readonly fallbackStrategy: SummaryStrategy | undefined;
  /** Options that a strategy receives. */
  readonly options: Pick<SummaryInput, GivenOption>;
  /** Inputs that a strategy gets unchanged. */
  readonly given: Pick<SummaryInput, 'model'> & Partial<SummaryInput>;
  /** Condenses tool outputs to lines of facts, which a model reads if cost decides. */
  readonly factsOf?: ((messages: readonly Message[]) => readonly Message[]) | undefined;
  /** Fields of the record that are known before it is written. */
  readonly frame: Pick<RecordFrame, 'key' | 'coveredMessages' | 'prefixDigest' | 'openingDigests'>;
  /** The record that is continued. */
  readonly previous: SummaryRecord | undefined;
  /** The messages that `previous` does not stand for. */
  readonly messages: readonly Message[];
  /**
   * All messages that the record will stand for, from the first one on: read again if `previous` is from a fallback.
   * @default the client does not send it
   */
  readonly history?: readonly Message[] | undefined;
  /** Guidance for the strategy. */
  readonly instructions?: string | undefined;
  readonly policy: Policy;
  readonly measure: TokenMeasure;
  /**
   * The prompt that the record is to make smaller: a strategy whose record does not has failed.
   * @default the record stands in no prompt
   */
  readonly place?:
    | {
        /** Tokens of the prompt as it stands, and its limit. */
        readonly tokens: number;
        readonly limit: number;
        /** Messages of the conversation that the record will stand for. */
        readonly cut: number;
        /** Puts a record into the prompt. */
        readonly compose: (record: SummaryRecord) => Prompt;
      }
    | undefined;
  /**
   * The messages that follow and stay as they are.
   * @default none
   */
  readonly recent?: readonly Message[] | undefined;
  /** Reason for the summary. */
  readonly reason: TriggerReason;
  readonly emit: CallReporter['emit'];
  /**
   * Whether the fallback is to write after such a failure of the strategy.
   * @default it is
   */
  readonly fallsBack?: ((failure: SummarizationError) => boolean) | undefined;
  /** Ends the attempt of the strategy, with a reason: its fallback writes. */
  readonly giveUp?: AbortSignal | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

type GivenOption =
  | 'maxTranscriptTokens'
  | 'priority'
  | 'userQuotes'
  | 'namespace'
  | 'redact'
  | 'telemetry'
  | 'summaryTimeoutMs'
  | 'maxWaitMs';

/** A record and its cost. */
export interface WrittenRecord extends Pick<SummaryOutput, 'usage'> {
  readonly record: SummaryRecord;
  /** Tokens of the prompt with the record; 0 without a prompt. */
  readonly tokensAfter: number;
  /** Number of written items that there was no room for. */
  readonly itemsLeftOut: number;
  /** Share of facts that the record holds, by `scoreOf`. */
  readonly score: number;
}

/** A strategy that is to write, and its request. */
interface Turn extends RecordRequest {
  readonly strategy: SummaryStrategy;
  /** Whether the strategy replaces another one. */
  readonly degraded: boolean;
  readonly clean: Redactor;
  readonly depth: number;
}

/**
 * Writes a summary: lets the strategy write, or its fallback after a failure, adds computed fields, and reports events.
 * Every record that a strategy writes is made here.
 *
 * @throws {SummarizationError} when neither wrote a usable summary; the signal's reason when it aborts.
 */
export async function writeRecord(request: RecordRequest): Promise<WrittenRecord> {
  const { strategy: first, fallbackStrategy, options, given, emit, abortSignal } = request;
  const { redact } = options;
  let isRedactReported = false;
  const clean = makeRedactor(redact, () => {
    const reason = 'redact failed, and texts were left out of a summary';
    if (!isRedactReported)
      emit({ type: 'failed', stage: 'redact', reason, error: redactFailure() });
    isRedactReported = true;
  });
  let calls = 0;
  const onAttempt = (attempt: SummaryAttempt): void => {
    calls += 1;
    given.onAttempt?.(attempt);
  };
  const depth = nextDepth(request);
  const turn = { ...request, given: { ...given, onAttempt }, clean, depth };
  const strategies = [first, fallbackStrategy].filter((strategy) => strategy !== undefined);
  let failure: SummarizationError | undefined;
  for (const [index, strategy] of strategies.entries()) {
    const startedAt = clockMs();
    try {
      const written = await writeWith({ ...turn, strategy, degraded: index > 0 });
      const { record } = written;
      const { reason, place } = request;
      if (place !== undefined)
        emit({
          type: 'end',
          ...written,
          reason,
          depth,
          degraded: record.degraded,
          calls,
          coveredMessages: place.cut,
          tokensBefore: place.tokens,
          ratioBefore: place.tokens / place.limit,
          strategy: strategy.name,
          durationMs: clockMs() - startedAt,
        });
      return written;
    } catch (cause) {
      abortSignal?.throwIfAborted();
      failure = asSummarizationError(cause, strategy.name, redact);
      const { reason, usage } = failure;
      emit({ type: 'failed', stage: 'summarize', reason, usage, error: failure });
      const next = strategies[index + 1];
      if (next === undefined || request.fallsBack?.(failure) === false) break;
      emit({ type: 'fallback', from: strategy.name, to: next.name, reason });
    }
  }
  const message = "The strategy is 'none'.";
  throw failure ?? new SummarizationError({ reason: 'strategy', message });
}

/** Returns the depth of the next record: 0 if its narrative continues no other, as at the depth cap. */
function nextDepth({ previous, policy }: Pick<RecordRequest, 'previous' | 'policy'>): number {
  return previous === undefined || previous.depth >= policy.maxSummaryChainDepth
    ? 0
    : previous.depth + 1;
}

/** Least tokens that a summary is asked for. */
const leastSummaryTokens = 50;

/** Share of the freed tokens that a record may take: a summary has to be smaller. */
const takenShare = 0.95;

/** Most characters of instructions that a strategy receives. */
const maxInstructionCharacters = 2000;

/** Milliseconds a strategy may take in all, its retries and pieces included, unless a call of it may take more. */
const strategyTimeoutMs = 300_000;

/**
 * Lets a strategy write, checks its content, redacts it and fits it to its budget, and makes a record of that:
 * measured, dated, and smaller than its messages.
 *
 * @throws {SummarizationError} when the strategy returned nothing usable, and any error that it threw.
 */
async function writeWith(turn: Turn): Promise<WrittenRecord> {
  const { strategy, reason, depth, policy, measure, place, clean, emit, abortSignal } = turn;
  // The strategy `llm` does not build upon a record of a fallback: its messages are read anew, if the client sends
  // them. A strategy of the caller would lose data by that.
  const isOwn = strategy.name === 'llm' && !turn.degraded;
  const history = isOwn && turn.previous?.degraded === true ? turn.history : undefined;
  const messages = history ?? turn.messages;
  // The previous record may have been written, or handed over, without this `redact`.
  const previous =
    history === undefined ? turn.previous && cleanRecord(turn.previous, clean) : undefined;
  emit({ type: 'start', reason, strategy: strategy.name, depth, messages: messages.length });

  const placed = async (record: SummaryRecord): Promise<number> => {
    const prompt = place?.compose(record) ?? [];
    await measure.count(prompt);
    return measure.prompt(prompt);
  };
  /** Counts a content as it will be in a prompt. */
  const tokensOf = async (content: SummaryContent): Promise<number> => {
    const text = renderSummary({ ...content, depth, id: costliestId });
    const message = { role: 'system', content: text } as const;
    await measure.count([message], abortSignal);
    return measure.message(message);
  };
  const { degraded } = turn;
  const frame = {
    ...turn.frame,
    depth,
    degraded,
    parent: turn.previous,
    strategy: visibleText(strategy.name),
    inputTokens: 0,
  };
  let maxSummaryTokens = policy.maxSummaryTokens;
  if (place !== undefined) {
    // The summary may take most of the tokens that an empty record would free.
    const empty = buildRecord(frame, emptyContent(omittedSummary), 0);
    const freed = Math.floor(takenShare * (place.tokens - (await placed(empty))));
    const useful = Math.max(freed + (await tokensOf(empty)), leastSummaryTokens);
    maxSummaryTokens = Math.min(maxSummaryTokens, useful);
  }

  const input = await inputOf({ ...turn, messages, previous }, maxSummaryTokens);
  const timeoutMs = Math.max(strategyTimeoutMs, input.summaryTimeoutMs ?? 0);
  // Work on a finished answer is never abandoned.
  const deadline = beginDeadline([abortSignal, degraded ? undefined : turn.giveUp], timeoutMs);
  let output: SummaryOutput;
  try {
    const { signal } = deadline;
    output = await abortable(strategy.summarize({ ...input, abortSignal: signal }), signal);
  } finally {
    deadline.end();
  }
  const { usage } = output;
  const checked = withCheckedOrigins(checkedContent(output, strategy.name, clean), input);
  const said = (await transcriptParts(input.messages, input.redact)).filter(
    ({ kind }) => kind === 'text',
  );
  const participants = participantsOf(checked, input, said);
  const written = { ...withItems(checked, () => ({ participants })), plan: input.plan };
  const fitted = await fitContent(written, { maxTokens: maxSummaryTokens, count: tokensOf });
  const useful = saysNothing(fitted) ? emptiedContent(omittedSummary, fitted) : fitted;
  const raw = useful.context.raw ?? previous?.context.raw;
  const content = { ...useful, context: { ...useful.context, raw } };
  await measure.count(messages, abortSignal);
  const isOmitted = content.summary === omittedSummary;
  const made = {
    ...frame,
    inputTokens: measure.messages(messages) + (previous?.metrics.outputTokens ?? 0),
    degraded: degraded || isOmitted,
  };
  const record = buildRecord(made, content, await tokensOf(content));
  const tokensAfter = place === undefined ? 0 : await placed(record);
  if (tokensAfter >= (place?.tokens ?? Infinity)) {
    const message = `The summary would not have made the prompt smaller (${place?.tokens} to ${tokensAfter} tokens).`;
    throw new SummarizationError({ reason: 'not-smaller', message, usage });
  }
  const { constraints, unshownConstraints: { length: leftOut } = [] } = record.context;
  if (leftOut > (turn.previous?.context.unshownConstraints ?? []).length)
    emit({ type: 'constraints-left-out', leftOut, constraints: constraints.length });
  const score = await scoreOf(content, said, previous);
  const itemsLeftOut = writtenItems(written) - writtenItems(content);
  return { record, usage, tokensAfter, itemsLeftOut, score };
}

/** Characters of a message that are read for its speakers, and most names of a record. */
const spokenCharacters = 20_000;
const mostParticipants = 20;

/** Lists the participants: roles, speakers in pasted texts, and those that the strategy names. */
function participantsOf(
  content: SummaryContent,
  { messages, previous }: SummaryInput,
  said: readonly TranscriptPart[],
): readonly ContentItem[] {
  const roles = messages
    .map(({ role }) => role)
    .filter((role) => role === 'user' || role === 'assistant');
  const names = new Set<string>([...(previous?.context.participants ?? []), ...roles]);
  for (const { text, role } of said)
    if (role === 'user')
      for (const name of dialogueSpeakers(text.slice(0, spokenCharacters))) names.add(name);
  const given = itemsOf(content).participants;
  const known = new Set(textsOf(given));
  const added = [...names].filter((name) => !known.has(name));
  return [...given, ...added.map((item) => ({ item, origin: modelOrigin }))].slice(
    0,
    mostParticipants,
  );
}

/** Whether a content says nothing, for lack of room: names without a sentence do not count. */
function saysNothing(content: SummaryContent): boolean {
  const { summary, plan, activity } = content;
  const { participants: _p, domainEntities: _e, ...lists } = itemsOf(content);
  const isSilent = [summary.replace(emptyNarrative, ''), plan, activity].every((text) => !text);
  return isSilent && shownItems(lists) === 0;
}

/** Counts the items that a strategy wrote: code adds participants, and carries ended constraints while there is room. */
function writtenItems(content: SummaryContent): number {
  const { participants: _p, endedConstraints: _e, ...lists } = itemsOf(content);
  return shownItems(lists);
}

function shownItems(lists: Partial<ReturnType<typeof itemsOf>>): number {
  return sumOf(Object.values(lists), (items) => items.filter((each) => !each.isUnshown).length);
}

/**
 * Makes the input of a strategy, with only the options that it needs.
 *
 * @param maxSummaryTokens - Most tokens of the summary.
 */
async function inputOf(turn: Turn, maxSummaryTokens: number): Promise<SummaryInput> {
  const { strategy, previous, instructions, policy, clean, emit, options } = turn;
  const { maxTranscriptTokens, priority, userQuotes, namespace, telemetry } = options;
  const { summaryTimeoutMs, maxWaitMs } = options;
  const messages = turn.messages.map(withoutRecalled);
  return {
    ...turn.given,
    messages,
    transcript: turn.factsOf?.(messages),
    previous,
    plan: planState(messages, turn.recent ?? [], previous?.plan),
    usePreviousNarrative: nextDepth(turn) > 0,
    // Texts are cut after redaction: half a secret would not be recognized.
    instructions: instructions && clean(instructions).slice(0, maxInstructionCharacters),
    priority,
    userQuotes,
    recordId: recordIdOf(turn.frame.key),
    maxSummaryTokens,
    contextLength: policy.contextLengthKnown ? policy.contextLength : undefined,
    tokenMultiplier: await turn.measure.perO200k(messages),
    maxTranscriptTokens,
    namespace,
    redact: clean,
    telemetry,
    summaryTimeoutMs,
    maxWaitMs,
    onCondensed: (condensed) => emit({ type: 'condensed', strategy: strategy.name, ...condensed }),
    onCondenseFailure: (failure) => {
      const error = asSummarizationError(failure, strategy.name, options.redact);
      emit({ type: 'failed', stage: 'condense', reason: error.reason, error });
    },
    onPromptsReloaded: (templates) =>
      emit({ type: 'prompts-reloaded', strategy: strategy.name, templates }),
    onReloadFailure: (error) => {
      const reason = 'the prompts could not be read again';
      emit({ type: 'failed', stage: 'prompts', reason, error });
    },
    onProgress: (progress) => emit({ type: 'progress', strategy: strategy.name, ...progress }),
  };
}

function checkedContent(
  { content, usage }: SummaryOutput,
  strategy: string,
  clean: Redactor,
): SummaryContent {
  const parsed = summaryContentSchema.safeParse(content);
  const written = parsed.success ? cleanContent(parsed.data, clean) : undefined;
  if (written?.summary === withheldText) throw withDetails(redactFailure(), { usage });
  const isRawCut = parsed.data?.context.raw !== undefined && written?.context.raw === undefined;
  if (written !== undefined && written.summary.trim() !== '' && !isRawCut) return written;
  const paths = parsed.error?.issues.map((issue) => issue.path.join('.') || 'content') ?? [
    isRawCut ? 'context.raw' : 'summary',
  ];
  throw new SummarizationError({
    reason: 'invalid-output',
    message: `The strategy ${strategy} returned no usable summary: ${paths.join(', ')} is wrong or empty.`,
    usage,
  });
}

/**
 * Converts any error of a strategy to an error of the package. With `redact`, the message is redacted and the cause
 * removed: both may quote the input of the strategy.
 */
function asSummarizationError(
  error: unknown,
  strategy: string,
  redact: Redact | undefined,
): SummarizationError {
  const known = SummarizationError.isInstance(error)
    ? error
    : new SummarizationError({
        reason: 'strategy',
        message: `The strategy ${strategy} threw.`,
        retryable: true,
        cause: error,
      });
  if (redact === undefined || known.reason === 'redact') return known;
  const cleaned = makeRedactor(redact)(known.message);
  const message = cleaned === withheldText ? `The strategy ${strategy} failed.` : cleaned;
  return withDetails(known, { message, cause: undefined });
}

/** Returns the content with the model as origin of items whose message does not exist, or has another role. */
function withCheckedOrigins(
  content: SummaryContent,
  input: Pick<SummaryInput, 'messages' | 'previous'>,
): SummaryContent {
  const { originAt } = messagePositions(input);
  const first = input.previous?.coveredMessages ?? 0;
  return mapItems(content, (items) =>
    items.map((each) => {
      const { message = first, role } = each.origin;
      const isTrue = message < first || originAt(message).role === role;
      return isTrue ? each : { ...each, origin: modelOrigin };
    }),
  );
}
