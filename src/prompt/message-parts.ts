import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
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

/** Stands for what the recall tool answered where it would be summarised a second time. */
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
  const isPart = message.content.some(
    (part) => part.type === 'tool-result' && isRecalled(part.output),
  );
  if (!isPart) return message;
  const content = message.content.map((part) =>
    part.type === 'tool-result' && isRecalled(part.output)
      ? { ...part, output: { type: 'text' as const, value: leftOut } }
      : part,
  );
  return { ...message, content };
}

/** Random access to the bytes of a file, without decoding all of it. */
export interface FileBytes {
  /** Size in bytes; for base64 with padding or line breaks, up to a few bytes too large. */
  readonly length: number;
  /** The byte at `index`, or `NaN` where there is none. */
  readonly at: (index: number) => number;
}

/** The data of a file part, as prompts and tool results carry it. */
export type FileData = LanguageModelV4FilePart['data'];

/** Reads a file's bytes where the prompt holds them: `undefined` for references and remote URLs. */
export function fileBytes(data: FileData): FileBytes | undefined {
  if (data.type === 'data') {
    return typeof data.data === 'string' ? base64Bytes(data.data, 0) : arrayBytes(data.data);
  }
  if (data.type !== 'url' || data.url.protocol !== 'data:') return undefined;
  const { href } = data.url;
  return base64Bytes(href, href.indexOf(',') + 1);
}

function arrayBytes(bytes: Uint8Array): FileBytes {
  return { length: bytes.length, at: (index) => bytes[index] ?? Number.NaN };
}

function base64Bytes(text: string, start: number): FileBytes {
  return {
    length: Math.floor(((text.length - start) * 3) / 4),
    at: (index) => {
      const offset = start + Math.floor(index / 3) * 4;
      try {
        return atob(text.slice(offset, offset + 4)).charCodeAt(index % 3);
      } catch {
        return Number.NaN;
      }
    },
  };
}
