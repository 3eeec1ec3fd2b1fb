import type { LanguageModel, ModelMessage, UIMessage } from 'ai';
import { callContext, middlewareContext, type CallContext } from '../call/call-context.ts';
import { planReading, type PlannedReading } from '../call/read-call.ts';
import { checkInput, checkObject, checkThat } from '../checks/check-object.ts';
import {
  anyAbortSignal,
  anyObject,
  anyText,
  checkedElsewhere,
  flag,
} from '../checks/option-rule.ts';
import type { Composition } from '../composing/compose-prompt.ts';
import { renderSummary } from '../composing/render-summary.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { PlanReason } from '../planning/plan.ts';
import { providerOptionsKey } from '../prompt/own-options.ts';
import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import { summaryRecordSchema } from '../record/record-schemas.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { parseJson } from '../util/json.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import { checkMessages, readMessages, readModel, standInTools } from './given-conversation.ts';

/** Input of `compact`. */
export interface CompactInput<Given extends ModelMessage | UIMessage> {
  /** All messages of the conversation, or what `compact` made of them and what has come since: of a call or of a page. */
  readonly messages: readonly Given[];
  /** The model they are for; it also summarises unless `options` name others. A string is an id, as for the SDK. */
  readonly model: LanguageModel;
  /**
   * Compacts now, whatever the size.
   * @default false: as soon as the middleware would
   */
  readonly force?: boolean | undefined;
  /** What the summary should look to: 'keep the API design'. */
  readonly instructions?: string | undefined;
  /**
   * Options of `summarizationMiddleware`. The `store`, without which nothing leaves this process, is where a summary is
   * found again that was made of the same messages before; `background`, `placement` and `maxWaitMs` do not count.
   * @default {}
   */
  readonly options?: SummarizationOptions | undefined;
  readonly headers?: CallOptions['headers'];
  readonly providerOptions?: CallOptions['providerOptions'];
  readonly abortSignal?: AbortSignal | undefined;
}

/** What `compact` made of messages. */
export interface CompactResult<Given extends ModelMessage | UIMessage> {
  /** What takes the place of the messages: the same ones where nothing was done. */
  readonly messages: Given[];
  /** The record that stands in it; `undefined` where none was needed, or could be made. */
  readonly record: SummaryRecord | undefined;
  /** Why it was made, or why not. */
  readonly reason: PlanReason;
  /** What it took; nothing where it was found again. */
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
 * wrapped. The summary is a user message of its own and carries its record: given again with more messages behind it, it
 * is continued. What stays are the messages that were given, by reference; a message of a page is never cut apart. Where
 * no summary could be made, the messages stay as they are.
 *
 * @example
 * prepareStep: async ({ messages }) => ({ messages: (await compact({ messages, model })).messages })
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong; `SummarizationError` where `abortOnFailure` is
 * set and no summary could be made; the signal's reason when it aborts.
 */
export async function compact(
  input: CompactInput<ModelMessage>,
): Promise<CompactResult<ModelMessage>>;
export async function compact<Message extends UIMessage>(
  input: CompactInput<Message>,
): Promise<CompactResult<Message | UIMessage>>;
export async function compact(
  input: CompactInput<ModelMessage | UIMessage>,
): Promise<CompactResult<ModelMessage | UIMessage>> {
  checkInput(input, 'messages and model');
  checkObject(input, compactRules, '');
  const { messages, options = {}, abortSignal } = input;
  const read = await readGiven(messages);
  known ??= memoryStore();
  const shared = middlewareContext({
    ...options,
    store: options.store ?? known,
    background: false,
    placement: 'system',
  });
  const params = paramsOf(input, read.prompt);
  const context = callContext(shared, await readModel(input.model), params);
  const { call, plan } = await planReading(context, params);
  const usage = context.bill;
  const stands = await standing(context, { call, plan }, read.earlier?.record, abortSignal);
  const { systems } = call.view;
  const first = stands && read.units[systems.length + stands.cut];
  if (stands === undefined || first === undefined || first === read.units[systems.length]) {
    const reason = plan.step === 'summarize' ? 'nothing-to-cover' : plan.reason;
    return { messages: [...messages], record: read.earlier?.record, reason, usage };
  }
  const leading = new Set(read.units.slice(0, systems.length));
  const { indexes } = keptMessages({ ...call.view, cut: stands.cut });
  const kept = new Set(indexes.map((index) => read.units[systems.length + index]));
  const isEarlier = (unit: number): boolean => unit === read.earlier?.unit;
  return {
    messages: [
      ...messages.filter((_, unit) => leading.has(unit) && !isEarlier(unit)),
      messages.some(isOfPage) ? summaryOfPage(stands.record) : summaryMessage(stands.record),
      ...messages.filter(
        (_, unit) => !leading.has(unit) && !isEarlier(unit) && (unit >= first || kept.has(unit)),
      ),
    ],
    record: stands.record,
    reason: plan.reason,
    usage,
  };
}

/** What was given, as a call sends it. */
interface GivenPrompt {
  readonly prompt: readonly Message[];
  /** By the messages of the prompt, which of the given ones they are of. */
  readonly units: readonly number[];
  /** The summary that stands in it. */
  readonly earlier: { readonly unit: number; readonly record: SummaryRecord } | undefined;
}

/** Reads messages of either form; a summary that `compact` made stands among the system messages, where it is counted. */
async function readGiven(messages: readonly (ModelMessage | UIMessage)[]): Promise<GivenPrompt> {
  const plain: ModelMessage[] = [];
  const unitOf: number[] = [];
  let earlier: GivenPrompt['earlier'];
  for (const [unit, message] of messages.entries()) {
    const all = isOfPage(message) ? await readOfPage(message, unit) : [message];
    checkMessages(all, 'messages');
    for (const each of all) {
      const record = recordIn(each);
      if (record !== undefined) earlier = { unit, record };
      plain.push(record === undefined ? each : { role: 'system', content: renderSummary(record) });
      unitOf.push(unit);
    }
  }
  const prompt = await readMessages(plain, 'messages', standInTools(plain));
  // The SDK joins neighbouring messages of tools, and leaves out what is empty.
  let next = 0;
  const units = prompt.map(({ role }) => {
    while (plain[next] !== undefined && plain[next]?.role !== role) next += 1;
    const unit = unitOf[next] ?? messages.length;
    next += 1;
    if (role === 'tool') while (plain[next]?.role === 'tool') next += 1;
    return unit;
  });
  return { prompt, units, earlier };
}

function isOfPage(message: ModelMessage | UIMessage): message is UIMessage {
  return isObject(message) && 'parts' in message;
}

/** @throws {SummarizationOptionError} when the SDK cannot read it. */
async function readOfPage(message: UIMessage, unit: number): Promise<ModelMessage[]> {
  const { convertToModelMessages } = await import('ai');
  try {
    return await convertToModelMessages([message], { ignoreIncompleteToolCalls: true });
  } catch (error) {
    const allowed = `a UI message that convertToModelMessages takes (${messageOf(error)})`;
    checkThat(false, `messages[${unit}]`, message, allowed);
  }
}

/** The message that holds a record: with it goes all that a later summary needs to continue it. */
function summaryMessage(record: SummaryRecord): ModelMessage {
  const providerOptions = { [providerOptionsKey]: { record: JSON.stringify(record) } };
  return {
    role: 'user',
    content: [{ type: 'text', text: renderSummary(record), providerOptions }],
  };
}

function summaryOfPage(record: SummaryRecord): UIMessage {
  const providerMetadata = { [providerOptionsKey]: { record: JSON.stringify(record) } };
  const text = renderSummary(record);
  return { id: record.id, role: 'user', parts: [{ type: 'text', text, providerMetadata }] };
}

/** The record that a message holds, as far as it is one. */
function recordIn({ role, content }: ModelMessage): SummaryRecord | undefined {
  const [part] = role === 'user' && typeof content !== 'string' ? content : [];
  const held = part?.providerOptions?.[providerOptionsKey]?.['record'];
  if (typeof held !== 'string') return undefined;
  return summaryRecordSchema.safeParse(parseJson(held)).data;
}

function paramsOf(
  {
    headers,
    abortSignal,
    force,
    instructions,
    providerOptions = {},
  }: CompactInput<ModelMessage | UIMessage>,
  prompt: readonly Message[],
): CallOptions {
  const own = {
    ...providerOptions[providerOptionsKey],
    ...(force === undefined ? {} : { force }),
    ...(instructions === undefined ? {} : { instructions }),
  };
  return {
    prompt: [...prompt],
    ...(headers && { headers }),
    ...(abortSignal && { abortSignal }),
    providerOptions: { ...providerOptions, [providerOptionsKey]: own },
  };
}

const compactRules = {
  messages: checkedElsewhere,
  model: checkedElsewhere,
  force: flag,
  instructions: anyText,
  options: anyObject(),
  headers: anyObject(),
  providerOptions: anyObject(),
  abortSignal: anyAbortSignal,
};

/** The record that is to stand in the messages, and where they go on behind it. */
async function standing(
  context: CallContext,
  { call, plan }: Pick<PlannedReading, 'call' | 'plan'>,
  earlier: SummaryRecord | undefined,
  abortSignal: AbortSignal | undefined,
): Promise<Pick<Composition, 'record' | 'cut'> | undefined> {
  if (plan.step !== 'summarize') return call.composition;
  // Writing loads with the first summary.
  const { orderOf } = await import('../call/run-plan.ts');
  const { makeSummary } = await import('../summaries/make-summary.ts');
  try {
    const order = orderOf(context, call, plan);
    const previous = order.previous ?? earlier;
    const made = await makeSummary({
      ...order,
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
