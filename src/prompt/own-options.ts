import type { JSONObject } from '@ai-sdk/provider';
import type { CallOptions, Message } from './prompt-types.ts';

/** Key of the package's own options in `providerOptions` and of its results in `providerMetadata`. */
export const providerOptionsKey = 'summarization';

/** What tells a call's own tools from others, whatever name they are given: in their `providerOptions`. */
export const compactToolMark: NonNullable<CallOptions['providerOptions']> = {
  [providerOptionsKey]: { tool: 'compact' },
};

/** The tools of a call without the package's marks, and the names of those that carried one. */
export interface OwnTools {
  /** The same list when there was nothing to remove. */
  readonly tools: CallOptions['tools'];
  /** Tools that ask for a summary. */
  readonly compactTools: ReadonlySet<string>;
}

/** Takes the package's marks off the tools of a call. */
export function ownTools(given: CallOptions['tools']): OwnTools {
  const compactTools = new Set<string>();
  if (given?.some(isMarked) !== true) return { tools: given, compactTools };
  const tools = given.map((tool) => {
    if (!isMarked(tool) || tool.type !== 'function') return tool;
    const { providerOptions = {}, ...bare } = tool;
    const { [providerOptionsKey]: mark, ...others } = providerOptions;
    if (mark?.['tool'] === 'compact') compactTools.add(tool.name);
    return Object.keys(others).length === 0 ? bare : { ...bare, providerOptions: others };
  });
  return { tools, compactTools };
}

function isMarked(tool: NonNullable<CallOptions['tools']>[number] | null | undefined): boolean {
  // Without types, a list of tools may hold anything.
  return tool?.type === 'function' && tool.providerOptions?.[providerOptionsKey] !== undefined;
}

interface Markable {
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Stays on what has lost its options on the way to a provider, which must not see them. Copies keep it, no JSON holds
 * it, and copies of the package know each other's.
 */
const documentMark = Symbol.for('ai-sdk-summarization.document');

/**
 * Whether the application has marked a message, or a part of one, as not the user's own words:
 * `providerOptions: { summarization: { source: 'document' } }`.
 */
export function isDocument(given: Markable): boolean {
  const own: unknown = given.providerOptions?.[providerOptionsKey];
  return Object(own).source === 'document' || Reflect.get(given, documentMark) === true;
}

/** The same without the package's own options, by reference where there are none; what was a document stays one. */
export function withoutOwnMark<Given extends object>(given: Given): Given {
  const { providerOptions }: Markable = given;
  if (providerOptions?.[providerOptionsKey] === undefined) return given;
  const { [providerOptionsKey]: _own, ...others } = providerOptions;
  const mark = isDocument(given) ? { [documentMark]: true } : {};
  return { ...given, ...mark, providerOptions: others };
}

/**
 * What a message carries that hands on a record of another conversation: it stays verbatim. UI messages of a client
 * cannot set it: they carry options on their parts, never on a message of the user.
 */
export const handoffMark: NonNullable<CallOptions['providerOptions']> = {
  [providerOptionsKey]: { pin: true, handoff: true },
};

/** Whether a message hands on a record. Without types, a list of messages may hold anything. */
export function isHandoff(message: Message | null | undefined): boolean {
  return (
    message?.role === 'user' && message.providerOptions?.[providerOptionsKey]?.['handoff'] === true
  );
}

/** A message as those read it who take rules from what the user said: what is handed on, nobody has said here. */
export function asTold(message: Message): Message {
  if (message.role !== 'user' || !isHandoff(message)) return message;
  return { ...message, role: 'assistant' };
}

/** In the registry of symbols, so that copies of the package know each other; no JSON can hold one. */
const ownCall = Symbol.for('ai-sdk-summarization.own-call');

/**
 * Marks a call that the package makes itself: `providerOptions.summarization.ownCall` is there. A
 * summarizing model may be wrapped with this middleware too, and summarizing the summarizer's prompt would
 * have no end. The mark survives copying and merging of options, and is left out of JSON: a model that is
 * not wrapped may send all options it is given.
 */
export const ownCallMark: NonNullable<CallOptions['providerOptions']> = {
  [providerOptionsKey]: unsent({ ownCall: unsent({ [ownCall]: true }) }),
};

/** Whether the package makes this call itself. */
export function isOwnCall({ providerOptions }: Pick<CallOptions, 'providerOptions'>): boolean {
  const mark = providerOptions?.[providerOptionsKey]?.['ownCall'];
  return typeof mark === 'object' && mark !== null && Reflect.get(mark, ownCall) === true;
}

function unsent(value: JSONObject): JSONObject {
  return Object.defineProperty(value, 'toJSON', { value: () => undefined });
}
