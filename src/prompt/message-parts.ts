import { isObject } from '../util/is-object.ts';
import type { Message } from './prompt-types.ts';

type OwnPart = Exclude<Message['content'], string>[number];

/** What a tool answered. */
export type ToolOutput = Extract<OwnPart, { type: 'tool-result' }>['output'];

/** A part of a message, or of what a tool answered: both have texts, files and what only a provider reads. */
export type MessagePart = OwnPart | Extract<ToolOutput, { type: 'content' }>['value'][number];

/** A part, or an output, of a type that only a newer SDK knows. */
export type UnknownPart = Readonly<Record<string, unknown>>;

/** What an unknown part says, as JSON; the options of providers change from call to call. */
export function unknownContent(part: UnknownPart): object {
  return part['providerOptions'] === undefined ? part : { ...part, providerOptions: undefined };
}

/** The field by which an answer of the recall tool is known, whatever the tool is called and where it went. */
const recalledMark = 'recalledFromArchive';

/** Stands for what the recall tool answered where it would be summarized a second time. */
const leftOut = '[read from the archive of this conversation]';

/** Whether the output of a tool is originals that the recall tool has read. */
export function isRecalled(output: unknown): boolean {
  if (!isObject(output) || output['type'] !== 'json') return false;
  const { value } = output;
  return isObject(value) && value[recalledMark] === true;
}

/** A message without what the recall tool answered: a summary has had that before. */
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
