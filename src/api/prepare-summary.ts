import type { LanguageModel } from 'ai';
import type { QueuedCall } from '../call/summary-job.ts';
import { type CallContext, callContext, middlewareContext } from '../call/call-context.ts';
import { checkThat } from '../checks/check-object.ts';
import {
  type OptionRule,
  anyAbortSignal,
  anyObject,
  anyString,
  anyText,
  checkedElsewhere,
} from '../checks/option-rule.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { PlanReason } from '../planning/plan.ts';
import { providerOptionsKey } from '../prompt/own-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { storeKeyring } from '../stores/store-keys.ts';
import type { SummaryJob } from '../options/summary-queue.ts';
import { abortable } from '../util/async/waiting.ts';
import { type GivenConversation, readConversation, readModel } from './given-conversation.ts';
import { type StateInput, checkStateInput, storeFailure } from './given-state.ts';
import { planReading } from '../call/read-call.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { ConversationState } from '../state/conversation-state.ts';

/** Parameters of a call that have to do with its size. */
type SizeParams = Pick<CallOptions, 'toolChoice' | 'responseFormat' | 'maxOutputTokens'>;

/** Input of `prepareSummary`: what a queue has, or the messages of a conversation. */
export type PrepareSummaryInput = StateInput & {
  /** The model of the conversation, wrapped or not. A string is resolved by the SDK's default provider or the gateway. */
  readonly model: LanguageModel;
  /** The `conversationId` that the calls of the conversation carry, if they do. */
  readonly conversationId?: string | undefined;
  /**
   * The options of the middleware; what they say of `store`, `secret`, `namespace` and `background` does not count.
   * @default {}
   */
  readonly options?: SummarizationOptions | undefined;
  /**
   * Headers for the calls of the model that summarises, as its own calls carry them. A job of a queue holds none.
   * @default none
   */
  readonly headers?: CallOptions['headers'];
  /**
   * Provider options of the calls of the conversation. With a job of a queue, what is to be added to those of its
   * call, provider by provider: it holds no credentials, such as the gateway's `byok`.
   * @default none
   */
  readonly providerOptions?: CallOptions['providerOptions'];
  /** Ends the work; what was begun is taken up by whoever comes next. */
  readonly abortSignal?: AbortSignal | undefined;
} & (
    | (Pick<SummaryJob, 'call'> & Partial<Pick<SummaryJob, 'id'>>)
    | (GivenConversation & SizeParams & { readonly call?: undefined })
  );

/** What came of `prepareSummary`. */
export type PrepareSummaryResult =
  | {
      readonly ok: true;
      /** The record that is stored now; `undefined` when none is needed. */
      readonly record: SummaryRecord | undefined;
      /** Why none is needed; `erased`: the conversation was erased since the job was enqueued. */
      readonly reason?: PlanReason | 'erased' | undefined;
      /** Tokens billed by summarising models: none when the record was there. */
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
    }
  | {
      readonly ok: false;
      readonly error: SummarizationError;
      /** Whether the same call may succeed later. */
      readonly retryable: boolean;
    };

/**
 * Makes and stores the summary that the next calls of a conversation will need, outside of any request: what the
 * option `background: { enqueue }` hands to a queue, or a conversation of which the messages are at hand. The call
 * whose trigger fires puts it in place, and waits and pays for nothing. Below `resetTokenRatio` there is nothing to
 * be done, unless it was enqueued.
 *
 * May be run twice, by several processes and be killed at any point: they take turns, whoever comes later finds
 * what there is, and takes up what was left some ten seconds after it was. A failing model is a result and not an
 * exception.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; the signal's reason
 * when it aborts; what the provider throws for a model id that it does not know.
 *
 * @example
 * const result = await prepareSummary({ ...job, store, secret, model, options });
 * if (!result.ok && result.retryable) throw result.error; // the queue tries again
 */
export async function prepareSummary(input: PrepareSummaryInput): Promise<PrepareSummaryResult> {
  checkStateInput(input, prepareRules);
  const { options = {}, abortSignal } = input;
  const { store, secret, namespace } = input;
  const own = { ...options, store, secret, namespace, background: true };
  const queued = await callOf(input);
  const model = await readModel(input.model);
  const shared = middlewareContext({ ...own, abortSignal: abortSignal ?? options.abortSignal });
  const watched = watchOutcome({
    ...callContext(shared, model, queued.params),
    epochs: queued.epochs,
  });
  try {
    // What others write goes on, and is not waited for.
    const making = prepareNow(watched.context, queued, input.call !== undefined);
    const made = await abortable(making, abortSignal);
    const failure = watched.failure();
    if (made.record === undefined && failure !== undefined) throw failure;
    return { ok: true, ...made, usage: watched.usage() };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (!SummarizationError.isInstance(error)) throw error;
    return { ok: false, error, retryable: error.retryable };
  }
}

/** A call whose summary is to be prepared, and what happens to it. */
function watchOutcome(given: CallContext): {
  readonly context: CallContext;
  /** Why it could not be made, if it could not. */
  readonly failure: () => SummarizationError | undefined;
  readonly usage: () => { readonly inputTokens: number; readonly outputTokens: number };
} {
  let failure: SummarizationError | undefined;
  let [inputTokens, outputTokens] = [0, 0];
  const context: CallContext = {
    ...given,
    // A queue knows itself when to try again.
    failures: { recall: () => undefined, remember: (_key, error) => (failure = error) },
    emit: (event) => {
      if (event.type === 'end' || event.type === 'failed') {
        inputTokens += event.usage?.inputTokens ?? 0;
        outputTokens += event.usage?.outputTokens ?? 0;
      }
      given.emit(event);
    },
  };
  return {
    context,
    failure: () => failure,
    usage: () => ({ inputTokens, outputTokens }),
  };
}

/** The call as the middleware sees it. */
async function callOf(input: PrepareSummaryInput): Promise<QueuedCall> {
  const { conversationId, namespace = '' } = input;
  if (input.call !== undefined) {
    const { queuedCall } = await import('../call/summary-job.ts');
    const queued = await queuedCall(
      storeKeyring({ secret: input.secret ?? '', namespace }),
      input.call,
    );
    const allowed = 'the call of a job that was enqueued under this secret and namespace';
    checkThat(queued !== undefined, 'call', input.call, allowed);
    return { ...queued, params: withTerms(queued.params, input) };
  }
  const { prompt, tools } = await readConversation(input);
  const { toolChoice, responseFormat, maxOutputTokens, headers, providerOptions } = input;
  const own = conversationId === undefined ? {} : { conversationId };
  const params: CallOptions = {
    prompt: [...prompt],
    ...(tools && { tools }),
    ...(toolChoice && { toolChoice }),
    ...(responseFormat && { responseFormat }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(headers && { headers }),
    providerOptions: {
      ...providerOptions,
      [providerOptionsKey]: { ...providerOptions?.[providerOptionsKey], ...own, namespace },
    },
  };
  return { params, epochs: new Map() };
}

/** What a queue is not told. */
function withTerms(
  params: CallOptions,
  { headers, providerOptions = {} }: Pick<PrepareSummaryInput, 'headers' | 'providerOptions'>,
): CallOptions {
  const enqueued = params.providerOptions ?? {};
  const added = Object.entries(providerOptions).map(([key, options]) => [
    key,
    { ...enqueued[key], ...options },
  ]);
  return {
    ...params,
    ...(headers && { headers }),
    providerOptions: { ...enqueued, ...Object.fromEntries(added) },
  };
}

const prepareRules: Readonly<Record<string, OptionRule>> = {
  conversationId: anyText,
  id: anyString,
  call: anyString,
  model: checkedElsewhere,
  options: anyObject(),
  abortSignal: anyAbortSignal,
  messages: checkedElsewhere,
  prompt: checkedElsewhere,
  tools: checkedElsewhere,
  toolChoice: checkedElsewhere,
  responseFormat: checkedElsewhere,
  maxOutputTokens: checkedElsewhere,
  headers: anyObject(),
  providerOptions: anyObject(),
};

/** A record that a queue asked for, or why none is needed. */
interface Made {
  readonly record: SummaryRecord | undefined;
  readonly reason?: PlanReason | 'erased' | undefined;
}

const nothingMade: Made = { record: undefined, reason: 'nothing-to-cover' };

/** Makes the summary that a call will need, unless there is one or none is needed. */
async function prepareNow(
  context: CallContext,
  { params }: QueuedCall,
  isEnqueued: boolean,
): Promise<Made> {
  const { call, plan, tokensBefore } = await planReading(context, params);
  const { state } = call;
  // What this process alone has so far is written to the store.
  await state.findBeforePaying();
  if (state.isErased()) return { record: undefined, reason: 'erased' };
  const known = tokensBefore === undefined ? await state.findPrepared() : call.stored;
  if (known !== undefined) return confirmed(context, state, known);
  const isDue = plan.step === 'summarize' || plan.decision.ahead === true;
  const isSent = plan.step === 'send' || plan.step === 'apply';
  if (!isDue && !(isEnqueued && isSent)) return { record: undefined, reason: plan.reason };
  const { reason } = plan.decision;
  if (plan.step === 'summarize' && (reason === 'forced' || reason === 'requested')) {
    const { orderOf } = await import('../call/run-plan.ts');
    const { makeSummary } = await import('../summaries/make-summary.ts');
    const order = orderOf(context, call, plan);
    const made = await makeSummary({ ...order, joins: 'none', patience: {}, keepAlive: undefined });
    return made === undefined ? nothingMade : confirmed(context, state, made);
  }
  const { prepareRecord } = await import('../call/run-plan.ts');
  const made = await prepareRecord(context, { call, plan });
  return made === undefined ? nothingMade : confirmed(context, state, made);
}

/** @throws {SummarizationError} unless the store has a record: other processes are to find it. */
async function confirmed(
  { store }: CallContext,
  state: Pick<ConversationState, 'isStored'>,
  { record }: StoredSummary,
): Promise<Made> {
  if (!store.isLocal && !(await state.isStored(record)))
    throw storeFailure('The store did not confirm that it has the summary.', undefined);
  return { record };
}
