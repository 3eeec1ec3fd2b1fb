import { type ModelMessage, type Tool, type UIMessage, jsonSchema, tool } from 'ai';
import { callContext, middlewareContext, type CallContext } from '../call/call-context.ts';
import { planReading, type PlannedCall } from '../call/plan-call.ts';
import { checkOptions, checkTexts, checkThat } from '../checks/check-object.ts';
import { anyObject, anyText, checkedElsewhere, flag } from '../checks/option-rule.ts';
import type { Composition } from '../composing/compose-prompt.ts';
import { renderSummary } from '../composing/render-summary.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { PlanReason } from '../planning/plan.ts';
import { compactToolMark, providerOptionsKey } from '../prompt/own-options.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { summaryRecordSchema } from '../record/record-schemas.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { defined } from '../util/defined.ts';
import { parseJson } from '../util/json.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import {
  type GivenTerms,
  readMessages,
  readModel,
  termRules,
  withTerms,
} from './given-conversation.ts';

/** Input of `compact`. */
export interface CompactInput<Given extends ModelMessage | UIMessage> extends GivenTerms {
  /** All messages of the conversation, or what `compact` made of them and what has come since: of a call or of a page. */
  readonly messages: readonly Given[];
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
  checkOptions(input, 'messages and model', compactRules);
  const { messages, options = {}, abortSignal } = input;
  const { prompt, units, earlier } = await readGiven(messages);
  known ??= memoryStore();
  const shared = middlewareContext({
    ...options,
    store: options.store ?? known,
    background: false,
    placement: 'system',
  });
  const { force, instructions } = input;
  const own = defined({ force, instructions });
  const params = withTerms({ prompt: [...prompt], ...defined({ abortSignal }) }, input, own);
  const context = callContext(shared, await readModel(input.model), params);
  const { call, plan } = await planReading(context, params);
  const usage = context.bill;
  const stands = await standing(context, { call, plan }, earlier?.record, abortSignal);
  const { systems } = call.view;
  const begun = units[systems.length];
  const first = stands && units[systems.length + stands.cut];
  if (stands === undefined || first === undefined || first === begun) {
    const reason = plan.step === 'summarize' ? 'nothing-to-cover' : plan.reason;
    return { messages: [...messages], record: earlier?.record, reason, usage };
  }
  const leading = new Set(units.slice(0, systems.length));
  const kept = new Set(
    keptMessages({ ...call.view, cut: stands.cut }).indexes.map(
      (index) => units[systems.length + index],
    ),
  );
  const isOther = (unit: number): boolean => unit !== earlier?.unit && !leading.has(unit);
  return {
    messages: [
      ...messages.filter((_, unit) => unit !== earlier?.unit && leading.has(unit)),
      summaryMessage(stands.record, messages.some(isOfPage)),
      ...messages.filter((_, unit) => isOther(unit) && (unit >= first || kept.has(unit))),
    ],
    record: stands.record,
    reason: plan.reason,
    usage,
  };
}

const compactRules = {
  ...termRules,
  messages: checkedElsewhere,
  force: flag,
  instructions: anyText,
  options: anyObject(),
};

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
  checkThat(Array.isArray(messages), 'messages', messages, 'a list of messages');
  const plain: ModelMessage[] = [];
  const unitOf: number[] = [];
  let earlier: GivenPrompt['earlier'];
  for (const [unit, message] of messages.entries())
    for (const each of isOfPage(message) ? await readOfPage(message, unit) : [message]) {
      const record = recordIn(each);
      if (record !== undefined) earlier = { unit, record };
      plain.push(record === undefined ? each : { role: 'system', content: renderSummary(record) });
      unitOf.push(unit);
    }
  const prompt = await readMessages(plain);
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
function summaryMessage(record: SummaryRecord, isForPage: boolean): ModelMessage | UIMessage {
  const own = { [providerOptionsKey]: { record: JSON.stringify(record) } };
  const part = { type: 'text', text: renderSummary(record) } as const;
  return isForPage
    ? { id: record.id, role: 'user', parts: [{ ...part, providerMetadata: own }] }
    : { role: 'user', content: [{ ...part, providerOptions: own }] };
}

/** The record that a message holds, as far as it is one. */
function recordIn(message: ModelMessage): SummaryRecord | undefined {
  const { role, content } = isObject(message) ? message : {};
  const [part] = role === 'user' && Array.isArray(content) ? content : [];
  const held: unknown = part?.providerOptions?.[providerOptionsKey]?.['record'];
  if (typeof held !== 'string') return undefined;
  return summaryRecordSchema.safeParse(parseJson(held)).data;
}

/** The record that is to stand in the messages, and where they go on behind it. */
async function standing(
  context: CallContext,
  { call, plan }: Pick<PlannedCall, 'call' | 'plan'>,
  earlier: SummaryRecord | undefined,
  abortSignal: AbortSignal | undefined,
): Promise<Pick<Composition, 'record' | 'cut'> | undefined> {
  if (plan.step !== 'summarize') return call.composition;
  // Writing loads with the first summary.
  const { orderOf } = await import('../call/run-plan.ts');
  const { makeSummary } = await import('../summaries/make-summary.ts');
  try {
    const order = orderOf(call, plan);
    const previous = order.previous ?? earlier;
    const asked = { previous, joins: 'none', patience: { abortSignal } } as const;
    const made = await makeSummary({ ...order, ...asked });
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

/** What the model may say when it calls the tool. */
export interface CompactToolInput {
  /** What the summary should look to. */
  readonly instructions?: string | undefined;
}

const defaultDescription =
  'Asks for a summary of the conversation so far, to make room. Call it when a task is finished and the next one needs few details of what came before; never in the middle of a task. The summary takes the place of the earlier messages from your next step on; what you must still know word for word, write down first.';

const accepted = 'Noted. Earlier messages are summarised as soon as that makes room.';

/**
 * Makes a tool with which an agent asks for a summary at the end of a task. The next call to a model behind
 * `summarizationMiddleware` summarises everything before the agent's call of the tool, even below the trigger,
 * unless fewer than `cooldownMessages` have come since the last summary; then it waits for them. One summary is
 * paid for each call of the tool, whatever is retried, restarted or sent to another instance. Where none can be
 * made, the wish lapses with the second user message.
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
          description: 'What the summary should look to, such as open problems or a decision.',
        },
      },
      additionalProperties: false,
    }),
    providerOptions: compactToolMark,
    execute: () => accepted,
  });
}

/** What a `/compact` command asks for: options of the call that makes the summary. */
export interface CompactCommand {
  readonly force: true;
  /** What the summary should look to: what stands behind the command. */
  readonly instructions?: string;
}

/**
 * Reads what a user has typed: `/compact`, or `/compact keep the API design`.
 *
 * @example
 * const summarization = { conversationId, ...readCompactCommand(text) } satisfies SummarizationCallOptions;
 *
 * @returns what `providerOptions.summarization` takes; `undefined` for every other text.
 * @throws {SummarizationOptionError} when it is no text.
 */
export function readCompactCommand(text: string): CompactCommand | undefined {
  checkTexts({ text });
  const [command, ...words] = text.trim().split(/(\s)/);
  if (command !== '/compact') return undefined;
  const instructions = words.join('').trim();
  return { force: true, ...(instructions === '' ? {} : { instructions }) };
}
