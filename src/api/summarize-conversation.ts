import type { LanguageModel } from 'ai';
import { checkOptions } from '../checks/check-object.ts';
import {
  type OptionRule,
  anyAbortSignal,
  anyObject,
  checkedElsewhere,
  integer,
  isModel,
  rule,
} from '../checks/option-rule.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { identifyConversation } from '../identity/conversation-identity.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import { declaredContextLengths, resolvePolicy } from '../options/resolve-policy.ts';
import { asTold } from '../prompt/own-options.ts';
import { type CallOptions, type Message, splitSystem } from '../prompt/prompt-types.ts';
import { termsOfCall } from '../prompt/provider-options.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { conversationKeys } from '../state/conversation-keys.ts';
import { storeKeyring } from '../stores/store-keys.ts';
import { type MiddlewareContext, middlewareContext } from '../call/call-context.ts';
import { plainRates } from '../sizing/calibration.ts';
import { type Conversation, readMessages, readModel } from './given-conversation.ts';
import { checkedRecord } from './given-state.ts';
import { tokenMeasure } from '../sizing/token-measure.ts';
import type { RecordRequest } from '../summaries/write-record.ts';

/** Input of `summarizeConversation`. */
export interface SummarizeConversationInput {
  /**
   * The messages to cover, from the beginning of the conversation, those that `parent` covers included.
   * Leading system messages are passed over.
   */
  readonly messages: Conversation;
  /**
   * The model of the conversation; it also summarises unless `config` names others. A string is resolved by
   * the SDK's default provider or the gateway.
   */
  readonly model: LanguageModel;
  /**
   * The options that concern writing: strategies, models, budgets, `redact`, `providers`, and
   * `namespace` and `secret` for the record's id. Here `fallbackStrategy` is off unless it is given, so
   * that a failure shows.
   * @default {}
   */
  readonly config?: SummarizationOptions | undefined;
  /**
   * Headers for the calls of `model` that summarise, and as far as they are for them, for those of other models of
   * its provider.
   * @default none
   */
  readonly headers?: CallOptions['headers'];
  /**
   * Provider options for them, such as `{ openai: { store: false } }`.
   * @default none
   */
  readonly providerOptions?: CallOptions['providerOptions'];
  /**
   * Depth of the record.
   * @default 0 without a parent, else one more than the parent's, or 0 at `maxSummaryChainDepth`
   */
  readonly depth?: number | undefined;
  /** The record to continue: only the messages after those it covers are read. */
  readonly parent?: SummaryRecord | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** What came of `summarizeConversation`. */
export type SummarizeConversationResult =
  | {
      readonly ok: true;
      readonly record: SummaryRecord;
      /** Tokens billed by summarising models. */
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
    }
  | {
      readonly ok: false;
      readonly error: SummarizationError;
      /** Whether the same call may succeed later. */
      readonly retryable: boolean;
    };

/**
 * Summarises a conversation into a record: the service under the middleware, for summaries made ahead
 * of need or outside of a call. Stores nothing. A failing model, or a parent that covers other messages,
 * is a result and not an exception.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; the signal's
 * reason when it aborts.
 */
export async function summarizeConversation(
  input: SummarizeConversationInput,
): Promise<SummarizeConversationResult> {
  const conversation = await readInput(input);
  const context = middlewareContext({ fallbackStrategy: false, ...input.config });
  try {
    // Writing loads with the first summary.
    const { writeRecord } = await import('../summaries/write-record.ts');
    const request = await requestOf(input, conversation, context);
    const { record, usage } = await writeRecord(request);
    return { ok: true, record, usage };
  } catch (error) {
    input.abortSignal?.throwIfAborted();
    if (!SummarizationError.isInstance(error)) throw error;
    return { ok: false, error, retryable: error.retryable };
  }
}

/** @throws {SummarizationOptionError} naming what is wrong and what is allowed; of `config`, as far as it is an object. */
async function readInput(input: SummarizeConversationInput): Promise<readonly Message[]> {
  checkOptions(input, 'messages and model', inputRules, 'messages', 'model');
  const { messages, parent } = input;
  if (parent !== undefined)
    checkedRecord(parent, 'parent', 'a record that summarizeConversation wrote');
  return splitSystem(await readMessages(messages)).conversation;
}

const inputRules: Readonly<Record<keyof SummarizeConversationInput, OptionRule>> = {
  messages: checkedElsewhere,
  model: rule('a language model or the id of one', isModel),
  config: anyObject(),
  headers: anyObject(),
  providerOptions: anyObject(),
  depth: integer(0),
  parent: anyObject(),
  abortSignal: anyAbortSignal,
};

/** @throws {SummarizationError} when the model is not known or the parent is another conversation's. */
async function requestOf(
  input: SummarizeConversationInput,
  conversation: readonly Message[],
  { options, secret, strategy, fallbackStrategy }: MiddlewareContext,
): Promise<RecordRequest> {
  const { parent, depth, abortSignal } = input;
  const model = await readModel(input.model).catch((cause: unknown) => {
    // An id that no provider knows is a failing model.
    const message = 'The model of the conversation is not known.';
    throw new SummarizationError({ reason: 'transport', message, cause });
  });
  const policy = resolvePolicy(options, model, {});
  const identity = identifyConversation(conversation);
  const count = identity.significantBefore(conversation.length);
  const [keys] = storeKeyring({ secret, namespace: options.namespace });
  const digest = await identity.prefixDigest(count);
  const covered = parent?.coveredMessages ?? 0;
  const isItsOwn =
    parent === undefined || (await identity.prefixDigest(covered)) === parent.prefixDigest;
  const start = isItsOwn ? identity.indexAfter(covered) : undefined;
  if (start === undefined)
    throw mismatch('The parent covers other messages than this conversation begins with.');
  if (start >= conversation.length)
    throw mismatch('There are no messages after those the parent covers.');
  return {
    writers: {
      strategy,
      fallbackStrategy,
      model,
      termsFor: termsOfCall(input, model),
      options,
      declaredContextLength: declaredContextLengths(options),
    },
    identity,
    key: await conversationKeys(identity, undefined).recordKey(keys, digest),
    count,
    previous: parent,
    messages: conversation.slice(start).map(asTold),
    policy,
    measure: await tokenMeasure({ prompt: [] }, model, plainRates(policy.tokenMultiplier)),
    reason: 'forced',
    emit: () => {},
    depth,
    abortSignal,
  };
}

function mismatch(message: string): SummarizationError {
  return new SummarizationError({ reason: 'parent-mismatch', message });
}
