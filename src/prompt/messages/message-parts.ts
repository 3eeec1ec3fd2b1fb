import { isObject } from '../../foundations/util/is-object.ts';
import type { Message } from './prompt-types.ts';

type OwnPart = Exclude<Message['content'], string>[number];

/** Output of a tool. */
export type ToolOutput = Extract<OwnPart, { type: 'tool-result' }>['output'];

/** A part of a message or of a tool's output: both have texts, files and parts that only a provider reads. */
export type MessagePart = OwnPart | Extract<ToolOutput, { type: 'content' }>['value'][number];

/** A part, or an output, of a type that only a newer SDK knows. */
export type UnknownPart = Readonly<Record<string, unknown>>;

/** Returns the content of an unknown part, without provider options, which change from call to call. */
export function unknownContent(part: UnknownPart): object {
  return part['providerOptions'] === undefined ? part : { ...part, providerOptions: undefined };
}

/** The field that marks an answer of the recall tool, whatever the tool is called and wherever the answer went. */
const recalledMark = 'recalledFromArchive';

/** Replaces an answer of the recall tool that would be summarized a second time. */
const leftOut = '[read from the archive of this conversation]';

/** Whether the output of a tool consists of original messages that the recall tool has read. */
export function isRecalled(output: unknown): boolean {
  if (!isObject(output) || output['type'] !== 'json') return false;
  const { value } = output;
  return isObject(value) && value[recalledMark] === true;
}

/** Removes the answers of the recall tool from a message: an earlier summary covers them. */
export function withoutRecalled(message: Message): Message {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-result' && isRecalled(part.output)
      ? { ...part, output: { type: 'text' as const, value: leftOut } }
      : part,
  );
  return content.some((part, index) => part !== message.content[index])
    ? { ...message, content }
    : message;
}
