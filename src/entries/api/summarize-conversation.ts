import { checkOptions } from '../../foundations/checks/check-object.ts';
import { anyObject, checkedElsewhere } from '../../foundations/checks/option-rule.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { identifyConversation } from '../../prompt/identity/conversation-identity.ts';
import { safeFileIdentity } from '../../prompt/identity/file-address.ts';
import { optionsAround } from '../../call/options/options-of-model.ts';
import type { SummarizationOptions } from '../../call/options/summarization-options.ts';
import { declaredContextLengths, resolvePolicy } from '../../call/options/resolve-policy.ts';
import { asConstraintSource } from '../../prompt/messages/own-options.ts';
import { splitSystem } from '../../planning/selection/conversation-view.ts';
import { settingsForModels } from '../../prompt/messages/provider-options.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { conversationKeys } from '../../state/conversation/conversation-keys.ts';
import { processSecret, storeKeys } from '../../state/stores/store-keys.ts';
import { middlewareContext } from '../../call/run/call-context.ts';
import { plainRates } from '../../planning/sizing/calibration.ts';
import {
  type Conversation,
  type ModelCallInput,
  readMessages,
  readModel,
  toModelResult,
  type ModelResult,
  modelCallRules,
} from './conversation-input.ts';
import { checkedRecord } from './open-state.ts';
import { callCounter, measureWith } from '../../planning/sizing/token-measure.ts';

/** Input of `summarizeConversation`. */
export interface SummarizeConversationInput extends ModelCallInput {
  /**
   * The messages to cover, from the beginning of the conversation, those that `parent` covers included.
   * Leading system messages are passed over.
   */
  readonly messages: Conversation;
  /**
   * The options that concern writing: strategies, models, budgets, `redact`, `providers`, and
   * `namespace` and `secret` for the record's id. Here `fallbackStrategy` is off unless it is given, so
   * that a failure shows. They go over those of the middleware around `model`.
   * @default those of the middleware around `model`
   */
  readonly options?: SummarizationOptions | undefined;
  /** The former name of `options`, which go before it. */
  readonly config?: SummarizationOptions | undefined;
  /** The record to continue: only the messages after those it covers are read. */
  readonly parent?: SummaryRecord | undefined;
}

/** Result of `summarizeConversation`. */
export type SummarizeConversationResult = ModelResult<{ readonly record: SummaryRecord }>;

/**
 * Summarizes a conversation into a record, without the middleware: in advance, or outside of a call. Stores nothing.
 * A failing model, or a parent that covers other messages, is a result and not an exception.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; the signal's
 * reason when it aborts; what the provider throws for a model id that it does not know.
 */
export async function summarizeConversation(
  input: SummarizeConversationInput,
): Promise<SummarizeConversationResult> {
  checkOptions(input, 'messages and model', inputRules, 'messages', 'model');
  const { options: given = input.config, parent, abortSignal } = input;
  if (parent !== undefined)
    checkedRecord(parent, 'parent', 'a record that summarizeConversation wrote');
  const { conversation } = splitSystem(await readMessages(input.messages));
  const model = await readModel(input.model);
  const own = await optionsAround(model, given);
  const context = middlewareContext({ fallbackStrategy: false, ...own });
  const { options, strategy, fallbackStrategy, toolResults } = context;
  const policy = resolvePolicy(options, model, {});
  const identity = identifyConversation(
    conversation,
    safeFileIdentity(options.fileIdentity, () => {}),
  );
  return toModelResult(input, async () => {
    const { coveredMessages = 0, prefixDigest } = parent ?? {};
    const isItsOwn =
      parent === undefined || (await identity.prefixDigest(coveredMessages)) === prefixDigest;
    const start = isItsOwn ? identity.indexAfter(coveredMessages) : undefined;
    const rest = start === undefined ? [] : conversation.slice(start);
    if (rest.length === 0) {
      const message =
        'The parent record belongs to another conversation, or covers all messages of this one.';
      throw new SummarizationError({ reason: 'parent-mismatch', message });
    }
    const count = identity.significantBefore(conversation.length);
    const keys = storeKeys(options.secret ?? processSecret(), options.namespace);
    const names = conversationKeys(keys, identity, undefined);
    const digest = await identity.prefixDigest(count);
    // Writing loads with the first summary.
    const { writeRecord } = await import('../../call/writing/write-record.ts');
    const { record, usage } = await writeRecord({
      strategy,
      fallbackStrategy,
      options,
      given: {
        model,
        termsFor: settingsForModels(input, model),
        declaredContextLength: declaredContextLengths(options),
        toolResults,
      },
      frame: { key: await names.recordKey(digest), coveredMessages: count, prefixDigest: digest },
      previous: parent,
      messages: rest.map(asConstraintSource),
      policy,
      measure: measureWith(
        await callCounter({}, model, { isGiven: policy.tokenMultiplierGiven }),
        plainRates(policy.tokenMultiplier),
      ),
      reason: 'forced',
      emit: () => {},
      abortSignal,
    });
    return { record, usage };
  });
}

const inputRules = {
  ...modelCallRules,
  messages: checkedElsewhere,
  config: anyObject(),
  options: anyObject(),
  parent: anyObject(),
};
