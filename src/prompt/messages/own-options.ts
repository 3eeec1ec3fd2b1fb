import type { JSONObject } from '@ai-sdk/provider';
import type { CallOptions, Message } from './prompt-types.ts';

/** Key of the package's own options in `providerOptions` and of its results in `providerMetadata`. */
export const providerOptionsKey = 'summarization';

/** Mark of the package's own tools, in their `providerOptions`: it identifies them whatever name they have. */
export const compactToolMark: NonNullable<CallOptions['providerOptions']> = {
  [providerOptionsKey]: { tool: 'compact' },
};

/** The tools of a call without the package's marks, and the names of those that carried one. */
export interface OwnTools {
  /** The tools without marks: the same list if there was nothing to remove. */
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
 * Mark of a message or part whose options were removed, because a provider must not see them. Copies keep it, JSON does
 * not hold it, and all copies of the package recognize it.
 */
const documentMark = Symbol.for('ai-sdk-summarization.document');

/**
 * Whether the application has marked a message, or a part of one, as not the user's own words:
 * `providerOptions: { summarization: { source: 'document' } }`.
 */
export function isQuotedText(given: Markable): boolean {
  const own: unknown = given.providerOptions?.[providerOptionsKey];
  return Object(own).source === 'document' || Reflect.get(given, documentMark) === true;
}

/** Removes the package's own options, or returns the same object if there are none; quoted text stays marked. */
export function withoutOwnMark<Given extends object>(given: Given): Given {
  const { providerOptions }: Markable = given;
  if (providerOptions?.[providerOptionsKey] === undefined) return given;
  const { [providerOptionsKey]: _own, ...others } = providerOptions;
  const mark = isQuotedText(given) ? { [documentMark]: true } : {};
  return { ...given, ...mark, providerOptions: others };
}

/**
 * Mark of a message that hands over a record of another conversation: the message stays verbatim. UI messages of a
 * client cannot set it: they carry options on their parts, never on a message of the user.
 */
export const handoffMark: NonNullable<CallOptions['providerOptions']> = {
  [providerOptionsKey]: { pin: true, handoff: true },
};

/** Whether a message hands over a record. Without types, a list of messages may hold anything. */
export function isHandoff(message: Message | null | undefined): boolean {
  return (
    message?.role === 'user' && message.providerOptions?.[providerOptionsKey]?.['handoff'] === true
  );
}

/** Returns a message as readers of user constraints should see it: a handoff is not the user's own words. */
export function asConstraintSource(message: Message): Message {
  if (message.role !== 'user' || !isHandoff(message)) return message;
  return { ...message, role: 'assistant' };
}

/** A symbol of the global registry, so that all copies of the package recognize it; no JSON can hold one. */
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
