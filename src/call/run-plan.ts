import { composePrompt, type Composition } from '../composing/compose-prompt.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { condenseToolResults } from '../fitting/shorter-messages.ts';
import { fitPrompt, type Draft, type FittedCall } from '../fitting/fit-prompt.ts';
import { pricesOf } from '../options/prices-of.ts';
import { declaredContextLengths } from '../options/resolve-policy.ts';
import type { ResolvedOptions } from '../options/summarization-options.ts';
import { rangeBegun } from '../planning/choose-range.ts';
import { ratioIfUndone } from '../planning/decide.ts';
import { planSummary } from '../planning/plan-call.ts';
import type { Joins, Plan, SummaryRange } from '../planning/plan.ts';
import { isHandoff } from '../prompt/own-options.ts';
import { termsAgain, termsOfCall } from '../prompt/provider-options.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { tokenMeasure } from '../sizing/token-measure.ts';
import { sealedStore } from '../stores/sealed-store.ts';
import { placeSummary } from '../state/keep-summary.ts';
import { makeSummary, type SummaryOrder } from '../summaries/make-summary.ts';
import { noteWindow } from '../summaries/sliding-window.ts';
import { toolTextCharacters } from '../strategies/transcript/read-transcript.ts';
import { spend } from '../summaries/spending.ts';
import { alarm } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import { sumOf } from '../util/numbers.ts';
import type { CallContext } from './call-context.ts';
import { considerSummary, type CallReading, type PlannedReading } from './read-call.ts';
import { enqueueSummary } from './summary-job.ts';

/** A plan by which something is to be done. */
type ActingPlan = Exclude<Plan, { measure?: undefined }>;

/** A plan by which a summary is to be made. */
type SummarizingPlan = Extract<Plan, { step: 'summarize' }>;

/** The prompt with the summary of a plan; `undefined` when none could be made, or none in time. */
export async function summarize(
  context: CallContext,
  { call, waitsSince }: PlannedReading,
  plan: SummarizingPlan,
): Promise<Draft | undefined> {
  const { options, emit } = context;
  const { params, policy } = call;
  const { abortSignal } = params;
  const { contextLength, limit } = policy;
  const { decision, measure, range, tokens, size } = plan;
  const fits = size.most < limit;
  if (fits && enqueueSummary(context, call)) {
    emit({ type: 'skipped', reason: 'summary-pending' });
    return undefined;
  }
  const tellOfWait = (isOver: boolean): void => {
    if (fits && options.maxWaitMs === 0) return;
    const messages = range.cut - range.start;
    const ratio = tokens / limit;
    const { reason } = decision;
    emit({ type: 'waiting', isOver, reason, messages, tokens, contextLength, ratio });
  };
  const order = orderOf(context, call, plan);
  // Who has waited for one that was not theirs waits no longer in all.
  const make = (joins: Joins): ReturnType<typeof makeSummary> =>
    makeSummary({ ...order, joins, patience: patienceOf(options, abortSignal, fits, waitsSince) });
  // Who looks at a page is told meanwhile.
  tellOfWait(false);
  try {
    let summary = await make(plan.joins);
    let place = summary && (await rangeOf(call, range, summary));
    if (summary !== undefined && place === undefined) {
      summary = await make('none');
      place = range;
    }
    if (summary === undefined || place === undefined) {
      emit({ type: 'skipped', reason: 'summary-pending' });
      return undefined;
    }
    const composition = composing(call, place)(summary.record);
    const { prompt } = composition;
    if (summary.prepared === true) {
      await measure.count(prompt, abortSignal);
      const tokensAfter = measure.prompt(prompt);
      putInPlace(context, call, summary, { tokensBefore: tokens, tokensAfter });
    }
    return { prompt, composition };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (options.abortOnFailure || SummarizationOptionError.isInstance(error)) throw error;
    // What its own failures are has been told. Whatever else fails, the call goes on without a summary: it is made to fit.
    if (!SummarizationError.isInstance(error))
      emit({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return undefined;
  } finally {
    tellOfWait(true);
  }
}

/** What a summary stands for in a conversation; `undefined` where it is of another one, or ends where this cannot be cut. */
async function rangeOf(
  call: CallReading,
  range: SummaryRange,
  { record: { coveredMessages: count, prefixDigest } }: StoredSummary,
): Promise<SummaryRange | undefined> {
  const { identity } = call.view;
  // Conversations that begin alike are written one after the other: it may be of one that has gone on otherwise.
  if (identity.indexAfter(count) === undefined) return undefined;
  if ((await identity.prefixDigest(count)) !== prefixDigest) return undefined;
  return count === range.count ? range : rangeBegun({ ...call, writing: count });
}

/** Carries out the rest of a plan: the prompt, with its summary if there is one, is made to fit. */
export async function fit(
  context: CallContext,
  call: CallReading,
  plan: ActingPlan,
  summarized: Draft | undefined,
): Promise<FittedCall> {
  const { emit, options, toolResults } = context;
  const { step, size, tokens, measure } = plan;
  if (step === 'condense') emit({ type: 'skipped', reason: 'condensed' });
  if (step === 'fit') {
    emit({ type: 'skipped', reason: plan.reason });
    if (plan.reason === 'sliding-window') await noteWindow(context, call);
    if (plan.failure !== undefined && options.abortOnFailure) throw plan.failure;
  }
  const { composition, policy, params } = call;
  const prompt = step === 'condense' ? plan.prompt : call.prompt;
  const draft = summarized ?? { prompt, composition };
  // What fits by the size it was decided at is not shortened because another figure says more; what may not, by the same
  // figure, has waited for its summary.
  if (draft.prompt === call.prompt && size.most < policy.limit)
    return { ...draft, tokens, counted: size.counted };
  const { keyOf } = call.state;
  const { abortSignal } = params;
  const fitted = await fitPrompt({ ...call, ...draft, measure, toolResults, keyOf, abortSignal });
  if (fitted.shortening !== undefined)
    emit({ type: 'recovered', reason: 'too-long', ...fitted.shortening });
  return fitted;
}

/** Milliseconds of rest that a provider may ask for, where a prompt does not fit: for longer, the rules write. */
const worthwhileRestMs = 10_000;

/** Milliseconds that the fallback may take once the time of a summary is up. */
const fallbackMs = 10_000;

/** How long a call goes on to wait for a summary. One that fits can do without. */
function patienceOf(
  options: ResolvedOptions,
  abortSignal: AbortSignal | undefined,
  fits: boolean,
  waitsSince: number,
): SummaryOrder['patience'] {
  const left = (ms: number): number => Math.max(0, ms - (clockMs() - waitsSince));
  const { maxWaitMs, summaryTimeoutMs } = options;
  if (fits) return { abortSignal, leaveAfterMs: left(maxWaitMs) };
  return {
    abortSignal,
    hurryAfterMs: left(summaryTimeoutMs),
    leaveAfterMs: left(summaryTimeoutMs + fallbackMs),
    hurryAtRestMs: Math.max(maxWaitMs, worthwhileRestMs),
  };
}

/** Puts a record in the place of what it stands for. */
function composing(
  { view, style }: CallReading,
  { cut }: SummaryRange,
): (record: SummaryRecord) => Composition {
  return (record) => composePrompt(view, style, { record, cut });
}

/** Share of the limit below which a prompt has room for a record to be asked for, and written. */
const roomyShare = 0.9;

/**
 * Whether it costs less to ask at the end of the prompt, as far as the provider has it in its cache by what it reported
 * of the call before, than to send a transcript of what is summarised, whose tool outputs are short.
 */
function isCheaperThere(
  { memory, modelKey, options, model }: CallContext,
  { scan, composition, view }: CallReading,
  { tokens, range }: SummarizingPlan,
): boolean {
  const scope = { model: modelKey, recordId: composition?.record.id };
  const { cacheReadTokens: cached = 0 } = memory.usage.find(scan, scope) ?? {};
  const { prices } = pricesOf(options, model);
  const covered = view.conversation.slice(range.start, range.cut);
  const transcript = (tokens * sumOf(covered, readCharacters)) / Math.max(1, scan.characters);
  return cached > 0 && tokens - cached + cached * prices.cacheRead < transcript;
}

/** Characters of a message that a transcript holds. */
function readCharacters({ content }: Message): number {
  if (typeof content === 'string') return content.length;
  let characters = 0;
  for (const part of content) {
    if (part.type === 'text') characters += part.text.length;
    const value = part.type === 'tool-call' ? part.input : undefined;
    const said = part.type === 'tool-result' ? part.output : value;
    characters += Math.min(toolTextCharacters, JSON.stringify(said)?.length ?? 0);
  }
  return characters;
}

/** The order for the summary that a plan names, by who does not wait for it. */
export function orderOf(
  context: CallContext,
  call: CallReading,
  plan: SummarizingPlan,
): Omit<SummaryOrder, 'patience'> {
  const { options, model, memory, namespace, toolResults, store, times } = context;
  const {
    keyring: [keys],
  } = context;
  const { params, given, view, prompt, policy, state, stored, composition } = call;
  const { optimizeFor, messageFilter, summarizerInput, maxSummaryCallsPerHour, redact } = options;
  const { tokens, range, decision } = plan;
  const { abortSignal: _signal, ...settings } = params;
  const isAskedThere =
    summarizerInput !== 'transcript' &&
    options.summarizerModelPreference === undefined &&
    redact === undefined &&
    tokens <= roomyShare * policy.limit &&
    (summarizerInput === 'conversation' || isCheaperThere(context, call, plan));
  const readsFacts =
    optimizeFor === 'cost' &&
    options.condenseToolResults !== false &&
    messageFilter?.toolResults === undefined;
  return {
    ...context,
    ...call,
    ...plan,
    // The marks are ours, so that only the prompt as it was given has them.
    handedOn: new Set(params.prompt.filter((_, index) => isHandoff(given.prompt[index]))),
    place: { tokens, compose: async (record) => composing(call, range)(record) },
    reason: decision.reason,
    previous: composition && stored?.record,
    writers: {
      ...context,
      termsFor: termsOfCall(params, model),
      options: { ...options, namespace },
      declaredContextLength: declaredContextLengths(options),
      factsOf: readsFacts
        ? (messages) => condenseToolResults(messages, new Set(messages), toolResults)
        : undefined,
      ...(isAskedThere && {
        conversation: { ...settings, ...termsAgain(params), prompt },
        recentMessages: view.conversation.length - range.cut,
      }),
      onAttempt: (attempt) => {
        context.bill.calls += 1;
        context.reporter.attempted(attempt);
      },
      log: context.reporter.log,
    },
    tree: {
      store: options.summaryTreeStore,
      conversationId: context.conversationId,
      namespace,
      treeId: stored?.treeId,
      redact,
      keys,
    },
    keepAlive: (work) => keepAlive(context, work),
    abortSignal: options.abortSignal,
    // Who can wait no longer has hurried it by then: a model that is asked now would be cut off.
    patienceMs: options.summaryTimeoutMs + fallbackMs,
    spend:
      maxSummaryCallsPerHour === undefined
        ? undefined
        : async () => {
            // Nobody else shares one in this process; one that is silent is not waited for again.
            const isShared = !store.isLocal && state.isAnswered();
            const shared = isShared
              ? sealedStore(store, keys, { timeoutMs: times.storeTimeoutMs })
              : undefined;
            return spend({ maxSummaryCallsPerHour, store: shared, keys, spent: memory.spent });
          },
  };
}

/**
 * Gives work that goes on beside a call to the `background` function of the caller, if there is one. A function that
 * throws or rejects costs the call nothing.
 */
function keepAlive({ options: { background }, emit }: CallContext, work: Promise<void>): void {
  if (typeof background !== 'function') return;
  void (async () => {
    try {
      const given: unknown = background(work);
      // Nothing says that it is not an async function.
      await Promise.resolve(given);
    } catch (error) {
      emit({ type: 'failed', stage: 'background', reason: 'the background function threw', error });
    }
  })();
}

/**
 * Lets a prepared summary that stands in a prompt be found from now on: by this process at once, by the others
 * beside the call.
 *
 * @param sizes - Tokens of the prompt without it and with it.
 */
export function putInPlace(
  context: CallContext,
  { view: { identity, conversation }, policy, state }: CallReading,
  summary: StoredSummary,
  { tokensBefore, tokensAfter }: { readonly tokensBefore: number; readonly tokensAfter: number },
): void {
  const standing = {
    lastSummarization: {
      depth: summary.record.depth,
      messageCount: identity.significantBefore(conversation.length),
      tokenRatio: tokensAfter / policy.limit,
    },
    ratioIfUndone: ratioIfUndone(tokensBefore, tokensAfter, policy),
  };
  keepAlive(context, placeSummary(state, summary, standing));
}

/** Milliseconds after which it is begun whatever the model does: nobody may ever ask it. */
const latestMs = 10_000;

/**
 * Prepares the next summary of a conversation beside the answer to a call.
 *
 * @returns what begins it: for as soon as the model has begun to answer. `undefined` where it is being prepared, or a
 * queue has it.
 */
export async function prepareAhead(
  context: CallContext,
  planned: PlannedReading,
): Promise<(() => void) | undefined> {
  if (enqueueSummary(context, planned.call)) return undefined;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const prepare = async (): Promise<void> => {
    const silence = alarm(latestMs, begin);
    await begun;
    silence();
    try {
      await prepareRecord(context, planned);
    } catch (error) {
      if (context.options.abortSignal?.aborted === true) return;
      const reason = 'a summary could not be prepared';
      context.emit({ type: 'failed', stage: 'background', reason, error });
    }
  };
  const preparation = await planned.call.state.prepare(prepare);
  if (preparation === undefined) return undefined;
  keepAlive(context, preparation.ended);
  return begin;
}

/**
 * Makes and keeps the summary that a conversation will need soon, by the plan of a call of it, which was found to
 * be below the trigger. No call sends it before it is due. Whatever becomes of the call, it is finished, unless the
 * `abortSignal` of the middleware ends it.
 *
 * @returns `undefined` when there is nothing to be prepared, or the summary could not be made.
 */
export async function prepareRecord(
  context: CallContext,
  { call, plan }: Pick<PlannedReading, 'call' | 'plan'>,
): Promise<StoredSummary | undefined> {
  const { model, options, failures } = context;
  const { state, calibration, policy, prompt } = call;
  const { abortSignal } = options;
  // What fails before it is needed is not tried again with each message that comes.
  const base = call.stored?.record.coveredMessages ?? Math.max(1, policy.minMessages);
  const failureKey = `ahead ${await state.keyOf(base)}`;
  if (failures.recall(failureKey) !== undefined) return undefined;
  const { abortSignal: _, ...rest } = call.params;
  const params = { ...rest, ...(abortSignal && { abortSignal }) };
  const facts = { ...call, params, consider: considerSummary(context, abortSignal) };
  const measure = plan.measure ?? (await tokenMeasure(params, model, calibration.rates()));
  await measure.count(prompt, abortSignal);
  const tokens = measure.prompt(prompt);
  const decision = { act: 'summarize', reason: 'ahead' } as const;
  const due = await planSummary(facts, { ...plan, measure, tokens, decision, reason: 'ahead' });
  if (due.reason === 'sliding-window') await noteWindow(context, call);
  if (due.step !== 'summarize') return undefined;
  const stored = await state.findBeforePaying();
  const prepared = await state.findPrepared();
  // Somebody else was first, or the conversation has gone on elsewhere.
  if (prepared !== undefined || stored?.token !== call.stored?.token) return prepared;
  let ended: Promise<void> | undefined;
  await makeSummary({
    ...orderOf(context, facts, due),
    failures: { remember: (_key, error) => failures.remember(failureKey, error) },
    isAhead: true,
    // Whoever comes to need it waits for it; this only sees it through.
    patience: { leaveAfterMs: 0 },
    keepAlive: (work) => void (ended = work),
  });
  await ended;
  return state.findPrepared();
}
