import type { QueuedCall } from '../../call/run/run-plan.ts';
import { type CallContext, callContext, middlewareContext } from '../../call/run/call-context.ts';
import { checkThat } from '../../foundations/checks/check-object.ts';
import {
  type OptionRule,
  anyObject,
  anyString,
  anyText,
  checkedElsewhere,
  anyBoolean,
} from '../../foundations/checks/option-rule.ts';
import type { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { optionsAround } from '../../call/options/options-of-model.ts';
import type { SummarizationOptions } from '../../call/options/summarization-options.ts';
import type { PlanReason } from '../../planning/plan/plan.ts';
import type { CallOptions } from '../../prompt/messages/prompt-types.ts';
import type { StoredSummary } from '../../foundations/record/build-record.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { isErased } from '../../state/conversation/conversation-state.ts';
import { readConversation } from '../../state/conversation/read-conversation.ts';
import { storeKeys } from '../../state/stores/store-keys.ts';
import type { SummaryJob } from '../../call/options/summary-queue.ts';
import { abortable } from '../../foundations/util/async/waiting.ts';
import { omitUndefined } from '../../foundations/util/defined.ts';
import {
  type ConversationInput,
  type ModelCallInput,
  readConversationInput,
  readModel,
  toModelResult,
  type ModelResult,
  modelCallRules,
  withCallSettings,
} from './conversation-input.ts';
import { type StateInput, checkStateInput, storeFailure } from './open-state.ts';
import { type Plan, readAndPlan } from '../../call/run/plan-call.ts';
import type { Call } from '../../call/run/read-call.ts';

/** Input of `prepareSummary`: what a queue has, or the messages of a conversation. */
export type PrepareSummaryInput = StateInput &
  ModelCallInput & {
    /** The `conversationId` that the calls of the conversation carry, if they do. */
    readonly conversationId?: string | undefined;
    /**
     * Makes one whatever the size, as a `/compact` does, unless nothing has come that it could cover. It stands in the
     * prompts of all calls from now on.
     * @default false
     */
    readonly force?: boolean | undefined;
    /** Guidance for the summary, if one is made: 'keep the API design'. */
    readonly instructions?: string | undefined;
    /**
     * The options of the middleware; what they say of `store`, `secret`, `namespace` and `background` does not count.
     * @default those of the middleware around `model`
     */
    readonly options?: SummarizationOptions | undefined;
  } & (
    | (Pick<SummaryJob, 'call'> & Partial<Pick<SummaryJob, 'id'>>)
    | (ConversationInput & { readonly call?: undefined })
  );

interface Made {
  /** The record that is stored now; `undefined` when none is needed. */
  readonly record: SummaryRecord | undefined;
  /** Why none is needed; `erased`: the conversation was erased since the job was enqueued. */
  readonly reason?: PlanReason | 'erased' | undefined;
}

/** Result of `prepareSummary`. */
export type PrepareSummaryResult = ModelResult<Made>;

/**
 * Makes and stores the summary that the next calls of a conversation will need, outside of any request: what the
 * option `background: { enqueue }` hands to a queue, or a conversation of which the messages are at hand. The call
 * whose trigger fires puts it in place, and waits and pays for nothing. Below `resetTokenRatio` there is nothing to
 * be done, unless it was enqueued or `force` is set.
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
  const { store, secret, namespace } = input;
  const queued = await callOf(input);
  const model = await readModel(input.model);
  const options = await optionsAround(model, input.options);
  const abortSignal = input.abortSignal ?? options.abortSignal;
  const own = { ...options, store, secret, namespace, background: true, abortSignal };
  let failure: SummarizationError | undefined;
  const ofCall = callContext(middlewareContext(own), model, queued.params);
  const context: CallContext = {
    ...ofCall,
    place: { ...ofCall.place, epochs: queued.epochs },
    // A queue knows itself when to try again.
    failures: { recall: () => undefined, remember: (_key, error) => (failure = error) },
  };
  return toModelResult(input, async () => {
    // Summaries of other processes go on, and are not waited for.
    const preparing = prepareNow(context, queued.params, input.call !== undefined);
    const made = await abortable(preparing, input.abortSignal);
    if (failure !== undefined) throw failure;
    const { inputTokens, outputTokens } = context.bill;
    return { ...made, usage: { inputTokens, outputTokens } };
  });
}

/** The call as the middleware sees it. */
async function callOf(input: PrepareSummaryInput): Promise<QueuedCall> {
  const { conversationId, namespace = '', force, instructions } = input;
  const asked = omitUndefined({ force, instructions });
  if (input.call === undefined) {
    const { instructions: _ofSummary, ...conversation } = input;
    const params = await readConversationInput(conversation);
    const own = { ...omitUndefined({ conversationId }), ...asked, namespace };
    return { params: withCallSettings(params, input, own), epochs: new Map() };
  }
  const { queuedCall } = await import('../../call/run/run-plan.ts');
  const queued = await queuedCall(storeKeys(input.secret ?? '', namespace), input.call);
  const allowed = 'the call of a job that was enqueued under this secret and namespace';
  checkThat(queued !== undefined, 'call', input.call, allowed);
  // Options that a queue does not carry are added.
  return { ...queued, params: withCallSettings(queued.params, input, asked) };
}

const prepareRules: Readonly<Record<string, OptionRule>> = {
  ...modelCallRules,
  id: anyString,
  call: anyString,
  force: anyBoolean,
  instructions: anyText,
  options: anyObject(),
  messages: checkedElsewhere,
  tools: checkedElsewhere,
};

/** Makes the summary that a call will need, unless there is one or none is needed. */
async function prepareNow(
  context: CallContext,
  params: CallOptions,
  isEnqueued: boolean,
): Promise<Made> {
  const { call, plan, tokensBefore } = await readAndPlan(context, params);
  const { state } = call;
  const { documents } = state;
  // Records that only this process has are written to the store.
  const { prepared } = await readConversation(documents, { isPaying: true });
  if (await isErased(state, documents.urgentStore)) return { record: undefined, reason: 'erased' };
  const known = tokensBefore === undefined ? prepared : call.stored;
  const isDue = plan.step === 'summarize' || plan.decision.ahead === true;
  const isSent = plan.step === 'send' || plan.step === 'apply';
  if (known === undefined && !isDue && !(isEnqueued && isSent))
    return { record: undefined, reason: plan.reason };
  const summary = known ?? (await summaryOf(call, plan));
  if (summary === undefined) return { record: undefined, reason: 'nothing-to-cover' };
  // Other processes are to find it.
  if (!context.place.store.isLocal && !(await documents.isStored(summary.record.prefixDigest)))
    throw storeFailure('The store did not confirm that it stored the summary.', undefined);
  return { record: summary.record };
}

/** A requested summary is used at once, any other one when it is due. */
async function summaryOf(call: Call, plan: Plan): Promise<StoredSummary | undefined> {
  const { prepareRecord } = await import('../../call/run/run-plan.ts');
  const { reason } = plan.decision;
  if (plan.step !== 'summarize' || (reason !== 'forced' && reason !== 'requested'))
    return prepareRecord(call, plan);
  const { makeSummary } = await import('../../call/run/make-summary.ts');
  return makeSummary(call, plan, { joins: 'none', patience: {} });
}
