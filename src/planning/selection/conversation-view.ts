import {
  type ConversationIdentity,
  identifyConversation,
} from '../../prompt/identity/conversation-identity.ts';
import type { FileIdentity } from '../../prompt/identity/file-address.ts';
import { type StateDialect, stateDialectOf } from '../../prompt/messages/message-state.ts';
import type {
  AssistantMessage,
  CallOptions,
  Message,
  ModelIdentity,
  SystemMessage,
  ToolMessage,
} from '../../prompt/messages/prompt-types.ts';
import type { MessageTransform } from './sent-messages.ts';
import { synchronousAnswer } from '../../foundations/util/async/callbacks.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { countUpTo } from '../../foundations/util/numbers.ts';

/** How much a message matters: what matters less gives way first. */
export type Priority = (message: Message) => number;

/** The conversation of one call and what is known of its shape. */
export interface ConversationView {
  readonly systems: readonly SystemMessage[];
  /** The messages as they are sent. */
  readonly conversation: readonly Message[];
  /** The same messages as they came, by which the conversation is identified. */
  readonly originals: readonly Message[];
  readonly identity: ConversationIdentity;
  readonly groups: AtomicGroups;
  /** Indexes in the conversation of the messages that stay verbatim. */
  readonly pinned: ReadonlySet<number>;
  /** Providers whose options on messages change the state of the conversation. */
  readonly dialect: StateDialect | undefined;
  /** The tools of the call. */
  readonly tools: CallOptions['tools'];
}

/** Splits off the leading run of system messages; later ones belong to the conversation. */
export function splitSystem(
  prompt: readonly Message[],
): Pick<ConversationView, 'systems' | 'conversation'> {
  const systems: SystemMessage[] = [];
  for (const message of prompt) {
    if (message.role !== 'system') break;
    systems.push(message);
  }
  return { systems, conversation: prompt.slice(systems.length) };
}

/** A conversation, what must not be taken apart or left out of it, and where its recent messages begin. */
export interface CutConversation extends Pick<
  ConversationView,
  'conversation' | 'groups' | 'pinned' | 'dialect' | 'tools'
> {
  readonly cut: number;
}

/** A call whose conversation is to be read. */
export interface ViewedCall {
  readonly params: Pick<CallOptions, 'prompt' | 'tools'>;
  readonly model: ModelIdentity;
  /** Indexes in the prompt of messages that are pinned themselves. */
  readonly pinnedMessages: readonly number[];
  /** Indexes that the call pins: from the end when negative, leading system messages not counted. */
  readonly callOptions: { readonly pin?: readonly number[] | undefined };
  /** Whether a message is never summarized. A function that throws, or returns a promise, pins nothing. */
  readonly pin: ((message: Message) => boolean) | undefined;
  /** Names files by their URLs. Default: the URL without what signs it. */
  readonly fileIdentity?: FileIdentity | undefined;
  /** Default: as they came. */
  readonly sendAs?: MessageTransform | undefined;
  /** Shortens messages that are not pinned, after `sendAs`. */
  readonly shortenAs?: MessageTransform | undefined;
  /** Told once of what went wrong with messages, however many they are. */
  readonly onPinError: (error: unknown) => void;
}

/**
 * Reads the shape of a call's conversation, groups and pins not before somebody asks for them.
 *
 * @param identity - Default: that of what is sent.
 */
export function viewConversation(
  call: ViewedCall,
  identity?: ConversationIdentity,
): ConversationView {
  const { systems, conversation: originals } = splitSystem(call.params.prompt);
  const { sendAs, shortenAs } = call;
  let groups: AtomicGroups | undefined;
  let pins: ReadonlySet<number> | undefined;
  const pinned = (): ReadonlySet<number> =>
    (pins ??= pinnedIndexes(call, systems.length, originals));
  const messages = sendAs === undefined ? originals : originals.map((each) => sendAs(each));
  const conversation =
    shortenAs === undefined
      ? messages
      : messages.map((each, index) => (pinned().has(index) ? each : shortenAs(each)));
  return {
    systems,
    conversation,
    originals,
    identity: identity ?? identifyConversation(originals, call.fileIdentity),
    tools: call.params.tools,
    get dialect(): StateDialect | undefined {
      return stateDialectOf(call.model);
    },
    get groups(): AtomicGroups {
      groups ??= atomicGroups(conversation);
      return groups;
    },
    get pinned(): ReadonlySet<number> {
      return pinned();
    },
  };
}

function pinnedIndexes(
  { pinnedMessages, callOptions, pin, onPinError }: ViewedCall,
  start: number,
  conversation: readonly Message[],
): ReadonlySet<number> {
  const pinned = new Set([
    ...pinnedMessages.map((index) => index - start),
    ...(callOptions.pin ?? []).map((index) => (index < 0 ? conversation.length + index : index)),
  ]);
  if (pin === undefined) return pinned;
  let isTold = false;
  for (const [index, message] of conversation.entries()) {
    try {
      const answer: unknown = pin(message);
      const isPinned = synchronousAnswer(answer);
      if (isPinned !== answer) throw new TypeError('pin returns a boolean, at once.');
      if (isPinned) pinned.add(index);
    } catch (error) {
      if (!isTold) onPinError(error);
      isTold = true;
    }
  }
  return pinned;
}

/** A caller's priorities, those by what a message is where it gives none: no number, or an error. */
export function priorityOf(given: Priority | undefined): Priority {
  if (given === undefined) return defaultPriority;
  return (message) => {
    try {
      const priority = synchronousAnswer(given(message));
      if (typeof priority === 'number' && !Number.isNaN(priority)) return priority;
    } catch {
      // The default counts.
    }
    return defaultPriority(message);
  };
}

/**
 * How much a message matters by what it is: what the user said 4, a tool's error 3, what the assistant said 1, what else a
 * tool printed 0. Rules of the user count above all of them and decisions between errors and the assistant's other words,
 * in a record, which takes sentences.
 */
export function defaultPriority(message: Message): number {
  if (message.role === 'assistant') return 1;
  if (message.role !== 'tool') return 4;
  const isError = message.content.some(
    (part) => part.type === 'tool-result' && part.output.type.startsWith('error'),
  );
  return isError ? 3 : 0;
}

/** How a conversation may be cut without breaking what belongs together. */
export interface AtomicGroups {
  /** Start index of the group that holds a message. */
  readonly startOf: (index: number) => number;
  /** Index after the group that holds a message. */
  readonly endOf: (index: number) => number;
  /** Index of the last user message up to an index. */
  readonly lastUserAt: (index: number) => number | undefined;
  /** Index of the first user message from an index on. */
  readonly nextUserFrom: (index: number) => number | undefined;
  /** Indexes at which a cut leaves every group whole, ascending; a cut at `k` keeps `k` and later. */
  readonly boundaries: readonly number[];
  /** Whether a cut at an index leaves every group whole. */
  readonly isBoundary: (index: number) => boolean;
  /** Indexes of system messages, ascending: their texts are kept whatever is cut. */
  readonly systemMessages: readonly number[];
  /** No cut may lie beyond this index: the first call that waits for its result stands there. */
  readonly firstUnanswered: number;
}

/**
 * Finds the groups providers insist on: a tool call with its results and approvals, parallel calls of
 * one message, calls made from inside a code-execution call, a provider-executed call whose result came
 * in a later message, and reasoning that precedes the item it produced.
 */
export function atomicGroups(conversation: readonly Message[]): AtomicGroups {
  const { length } = conversation;
  // The last message that belongs together with each, as far as a join that begins there says. Ranges are marked by their
  // ends alone: thousands of late results each join thousands of messages.
  const reach = new Uint32Array(length);
  const join = (first: number, last: number): void => {
    reach[first] = Math.max(reach[first] ?? 0, last);
  };
  // Indexes of calls by their ids, and of those that wait for their results.
  const calls = new Map<string, number>();
  const open = new Map<string, number>();
  const users: number[] = [];
  const systemMessages: number[] = [];
  for (const [index, message] of conversation.entries()) {
    if (message.role === 'user') users.push(index);
    if (message.role === 'system') systemMessages.push(index);
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    if (message.role === 'tool' && index > 0) join(index - 1, index);
    if (endsWithReasoning(message) && conversation[index + 1]?.role === 'assistant')
      join(index, index + 1);
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue;
      const caller = callerOf(part.providerOptions);
      const parent = caller === undefined ? undefined : calls.get(caller);
      if (parent !== undefined) join(parent, index);
      calls.set(part.toolCallId, index);
      // A provider may keep the result of a call it executed to itself.
      if (part.providerExecuted !== true || index === length - 1) open.set(part.toolCallId, index);
    }
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined) join(call, index);
      open.delete(part.toolCallId);
    }
  }
  // starts[k]: where the group of message k begins; ends[k]: the index after it.
  const starts = new Uint32Array(length);
  const boundaries: number[] = [];
  let reached = 0;
  for (let index = 0; index < length; index += 1) {
    const isJoined = index > 0 && reached >= index;
    starts[index] = isJoined ? (starts[index - 1] ?? 0) : index;
    if (index > 0 && !isJoined) boundaries.push(index);
    reached = Math.max(reached, reach[index] ?? 0);
  }
  const ends = new Uint32Array(length);
  for (let index = length - 1; index >= 0; index -= 1)
    ends[index] = starts[index + 1] === starts[index] ? (ends[index + 1] ?? 0) : index + 1;
  let firstUnanswered = length;
  for (const call of open.values())
    firstUnanswered = Math.min(firstUnanswered, starts[call] ?? call);
  return {
    startOf: (index) => starts[index] ?? index,
    endOf: (index) => ends[index] ?? index + 1,
    lastUserAt: (index) => users[countUpTo(users, index) - 1],
    nextUserFrom: (index) => users[countUpTo(users, index - 1)],
    boundaries,
    isBoundary: (index) => index > 0 && starts[index] === index,
    systemMessages,
    firstUnanswered,
  };
}

function endsWithReasoning({ content }: AssistantMessage | ToolMessage): boolean {
  const type = content.at(-1)?.type;
  return type === 'reasoning' || type === 'reasoning-file';
}

function callerOf(providerOptions: AssistantMessage['providerOptions']): string | undefined {
  const caller = providerOptions?.['anthropic']?.['caller'];
  return isObject(caller) && typeof caller['toolId'] === 'string' ? caller['toolId'] : undefined;
}
