import { type ModelMessage, type Tool, jsonSchema, tool } from 'ai';
import { callContext, middlewareContext, type CallContext } from '../../call/run/call-context.ts';
import { readAndPlan, type PlannedCall } from '../../call/run/plan-call.ts';
import { checkOptions, checkTexts, checkThat } from '../../foundations/checks/check-object.ts';
import {
  anyObject,
  anyText,
  checkedElsewhere,
  anyBoolean,
} from '../../foundations/checks/option-rule.ts';
import type { Composition } from '../../planning/composing/compose-prompt.ts';
import { renderSummary } from '../../planning/composing/render-summary.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { optionsAround } from '../../call/options/options-of-model.ts';
import type { SummarizationOptions } from '../../call/options/summarization-options.ts';
import type { PlanReason } from '../../planning/plan/plan.ts';
import { compactToolMark, providerOptionsKey } from '../../prompt/messages/own-options.ts';
import { summaryRecordSchema } from '../../foundations/record/record-schemas.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { omitUndefined } from '../../foundations/util/defined.ts';
import { parseJson } from '../../foundations/util/json.ts';
import { keptMessages } from '../../planning/selection/kept-messages.ts';
import { memoryStore } from '../../state/stores/memory-store.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import {
  type ModelCallInput,
  readMessages,
  readModel,
  modelCallRules,
  withCallSettings,
} from './conversation-input.ts';

/** Input of `compact`. */
export interface CompactInput extends ModelCallInput {
  /** All messages of the conversation, or what `compact` made of them and what has come since. */
  readonly messages: readonly ModelMessage[];
  /**
   * Compacts now, whatever the size.
   * @default false: as soon as the middleware would
   */
  readonly force?: boolean | undefined;
  /** Guidance for the summary: 'keep the API design'. */
  readonly instructions?: string | undefined;
  /**
   * Options of `summarizationMiddleware`, over those of the middleware around `model`, whose `store`, `archive` and
   * `summaryTreeStore` do not count. The `store`, without which nothing leaves this process, is where a summary is found
   * again that was made of the same messages before; `background`, `placement` and `maxWaitMs` do not count.
   * @default those of the middleware around `model`
   */
  readonly options?: SummarizationOptions | undefined;
}

/** Result of `compact`. */
export interface CompactResult {
  /** The messages to use instead; the same ones if nothing was done. */
  readonly messages: ModelMessage[];
  /** The record that stands in it; `undefined` where none was needed, or could be made. */
  readonly record: SummaryRecord | undefined;
  /** Why it was made, or why not. */
  readonly reason: PlanReason;
  /** Costs of the summary; absent if it was found in the store. */
  readonly usage: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
}

/** Knows in this process what was compacted before: steps of a loop give the same messages again. */
let known: ReturnType<typeof memoryStore> | undefined;

/**
 * Gives the messages that take the place of others: for `prepareStep`, a database, or a loop whose model is not
 * wrapped. The summary is a user message of its own and carries its record: pass it again with more messages after
 * it, and it is continued. The remaining messages are the input messages, by reference. Where no summary could be made,
 * the messages stay as they are.
 *
 * @example
 * prepareStep: async ({ messages }) => ({ messages: (await compact({ messages, model })).messages })
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong; `SummarizationError` where `abortOnFailure` is
 * set and no summary could be made; the signal's reason when it aborts.
 */
export async function compact(input: CompactInput): Promise<CompactResult> {
  checkOptions(input, 'messages and model', compactRules);
  const { messages, abortSignal } = input;
  const model = await readModel(input.model);
  const options = await optionsAround(model, input.options);
  const { prompt, places, earlier } = await readGiven(messages);
  known ??= memoryStore();
  const shared = middlewareContext({
    ...options,
    // A back end erases by the namespaces of its calls, which a compaction does not have.
    store: input.options?.store ?? known,
    archive: input.options?.archive,
    summaryTreeStore: input.options?.summaryTreeStore,
    placement: 'system',
  });
  const { force, instructions } = input;
  const own = omitUndefined({ force, instructions });
  const params = withCallSettings({ prompt, ...omitUndefined({ abortSignal }) }, input, own);
  const context = callContext(shared, model, params);
  const { call, plan } = await readAndPlan(context, params);
  const usage = context.bill;
  const stands = await standing(context, { call, plan }, earlier?.record, abortSignal);
  if (stands === undefined) {
    const reason = plan.step === 'summarize' ? 'nothing-to-cover' : plan.reason;
    return { messages: [...messages], record: earlier?.record, reason, usage };
  }
  const begin = call.view.systems.length;
  const kept = new Set(keptMessages({ ...call.view, cut: stands.cut }).indexes);
  const stays = (place: number): boolean => place >= stands.cut || kept.has(place);
  /** Input messages whose position in the prompt is wanted; an earlier summary is none of them. */
  const where = (isWanted: (place: number) => boolean): ModelMessage[] =>
    messages.filter((_, index) => index !== earlier?.index && isWanted(places[index] ?? 0));
  return {
    messages: [
      ...where((place) => place < begin),
      summaryMessage(stands.record),
      ...where((place) => place >= begin && stays(place - begin)),
    ],
    record: stands.record,
    reason: plan.reason,
    usage,
  };
}

const compactRules = {
  ...modelCallRules,
  messages: checkedElsewhere,
  force: anyBoolean,
  instructions: anyText,
  options: anyObject(),
};

/** Reads messages as a call sends them; a summary that `compact` made stands among the system messages, where it is counted. */
async function readGiven(messages: readonly ModelMessage[]) {
  checkThat(Array.isArray(messages), 'messages', messages, 'a list of messages');
  let earlier: { readonly index: number; readonly record: SummaryRecord } | undefined;
  const given = messages.map((message, index): ModelMessage => {
    const record = recordIn(message);
    if (record === undefined) return message;
    earlier = { index, record };
    return { role: 'system', content: renderSummary(record) };
  });
  const prompt = await readMessages(given);
  // The SDK joins adjacent tool messages and drops empty ones.
  let place = -1;
  const places = given.map(({ role }) => {
    if (prompt[place + 1]?.role === role) place += 1;
    return place;
  });
  return { prompt, places, earlier };
}

/** The message that holds a record: with it goes all that a later summary needs to continue it. */
function summaryMessage(record: SummaryRecord): ModelMessage {
  const providerOptions = { [providerOptionsKey]: { record: JSON.stringify(record) } };
  return {
    role: 'user',
    content: [{ type: 'text', text: renderSummary(record), providerOptions }],
  };
}

/** The record that a message holds, as far as it is one. */
function recordIn(message: ModelMessage): SummaryRecord | undefined {
  const { role, content } = isObject(message) ? message : {};
  const [part] = role === 'user' && Array.isArray(content) ? content : [];
  const held: unknown = part?.providerOptions?.[providerOptionsKey]?.['record'];
  if (typeof held !== 'string') return undefined;
  return summaryRecordSchema.safeParse(parseJson(held)).data;
}

/** The record of the result, and the index after it. */
async function standing(
  context: CallContext,
  { call, plan }: Pick<PlannedCall, 'call' | 'plan'>,
  earlier: SummaryRecord | undefined,
  abortSignal: AbortSignal | undefined,
): Promise<Pick<Composition, 'record' | 'cut'> | undefined> {
  if (plan.step !== 'summarize') return call.composition;
  // Writing loads with the first summary.
  const { makeSummary } = await import('../../call/run/make-summary.ts');
  try {
    const previous = call.stored?.record ?? earlier;
    const made = await makeSummary(call, plan, {
      previous,
      joins: 'none',
      patience: { abortSignal },
    });
    return made && { record: made.record, cut: plan.range.cut };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (context.options.abortOnFailure || !SummarizationError.isInstance(error)) throw error;
    return call.composition;
  }
}

/** Options of `compactTool`. */
export interface CompactToolOptions {
  /**
   * Tells the model when to call the tool.
   * @default at the end of a task, before one that needs little of what was said
   */
  readonly description?: string | undefined;
}

/** Input that the model may pass to the tool. */
export interface CompactToolInput {
  /** Guidance for the summary. */
  readonly instructions?: string | undefined;
}

const defaultDescription =
  'Asks for a summary of the conversation so far, to make room. Call it when a task is finished and the next one needs few details of what came before; never in the middle of a task. The summary takes the place of the earlier messages from your next step on; what you must still know word for word, write down first.';

const accepted = 'Noted. Earlier messages are summarized as soon as that makes room.';

/**
 * Makes a tool with which an agent asks for a summary at the end of a task. The next call to a model with
 * `summarizationMiddleware` summarizes everything before the agent's call of the tool, even below the trigger, unless
 * fewer than `cooldownMessages` have come since the last summary; then it waits for them. One summary is paid for
 * each call of the tool, whatever is retried, restarted or sent to another instance. Where none can be made, the wish
 * lapses with the second user message.
 *
 * Offer it in every step, under any name. The middleware knows it by a mark in its `providerOptions`, which no
 * provider gets to see, and the wish by the call and its result among the messages.
 *
 * @example
 * new ToolLoopAgent({ model, tools: { ...tools, compact: compactTool() } });
 *
 * @throws {SummarizationOptionError} when an option is wrong.
 */
export function compactTool(options: CompactToolOptions = {}): Tool<CompactToolInput, string> {
  checkOptions(options, 'description, or nothing', { description: anyText });
  return tool({
    description: options.description ?? defaultDescription,
    inputSchema: jsonSchema<CompactToolInput>({
      type: 'object',
      properties: {
        instructions: {
          type: 'string',
          description: 'Guidance for the summary, such as open problems or a decision.',
        },
      },
      additionalProperties: false,
    }),
    providerOptions: compactToolMark,
    execute: () => accepted,
  });
}

/**
 * Reads what a user has typed: `/compact`, or `/compact keep the API design`; `/resummarize` means the same.
 *
 * @example
 * const summarization = { conversationId, ...readCompactCommand(text) } satisfies SummarizationCallOptions;
 *
 * @returns what `providerOptions.summarization` takes; `undefined` for every other text.
 * @throws {SummarizationOptionError} when it is no text.
 */
export function readCompactCommand(
  text: string,
): { readonly force: true; readonly instructions?: string } | undefined {
  checkTexts({ text });
  const [command = '', ...words] = text.trim().split(/(\s)/);
  // Keyboards of telephones begin with a capital letter.
  if (!['/compact', '/resummarize'].includes(command.toLowerCase())) return undefined;
  const instructions = words.join('').trim();
  return { force: true, ...(instructions === '' ? {} : { instructions }) };
}
