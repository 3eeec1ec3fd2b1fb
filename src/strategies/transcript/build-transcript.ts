import type { LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Message } from '../../prompt/prompt-types.ts';
import { textDoor, type Redact, type TextDoor } from '../../cleaning/text-door.ts';
import { middleTruncate } from '../../tokens/text/middle-truncate.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import { boundJson } from '../../json/bound-json.ts';
import { escapeJson } from '../../json/escape-json.ts';

/** One text of a message, as the summariser reads it. The smallest unit a transcript is split at. */
export interface TranscriptPart {
  /** Position of the message among the messages to cover. */
  readonly index: number;
  readonly role: Message['role'];
  /** `call` is a tool call's input, `result` a tool's output. */
  readonly kind: 'text' | 'call' | 'result';
  /** Tool name of a call or result. */
  readonly name?: string | undefined;
  readonly text: string;
  /** Characters of the original that are not in `text`: the middle of a tool output, a file. */
  readonly omittedCharacters?: number | undefined;
}

/** What a file counts as: about the 1,000 tokens that providers bill for an image. */
const fileCharacters = 4000;

/** Characters of a tool's input or output that the summariser reads, half of them from the end. */
const toolTextCharacters = 2000;

/** A part before its text is capped. */
export interface WholePart extends TranscriptPart {
  /** Joins a tool's result to its call. */
  readonly toolCallId?: string | undefined;
}

/**
 * Turns messages into the parts a summariser reads. Every text goes through the door of `redact`, then
 * tool inputs and outputs are capped at 2,000 characters head and tail. Files stand as placeholders;
 * reasoning and provider-specific parts are left out.
 */
export async function buildTranscript(
  messages: readonly Message[],
  slices: TimeSlices,
  redact?: Redact,
): Promise<readonly TranscriptPart[]> {
  return (await wholeParts(messages, slices, redact)).map(capPart);
}

/** Caps the text of a tool's input or output; other parts are kept whole. */
export function capPart(whole: WholePart): TranscriptPart {
  const { toolCallId: _callId, ...part } = whole;
  if (part.kind === 'text') return part;
  const cut = middleTruncate(part.text, toolTextCharacters, {
    headFraction: 0.5,
    tailFraction: 0.5,
  });
  return { ...part, text: cut.text, omittedCharacters: cut.removedChars };
}

/** The parts of messages as {@link buildTranscript} makes them, tool inputs and outputs not capped. */
export async function wholeParts(
  messages: readonly Message[],
  slices: TimeSlices,
  redact?: Redact,
): Promise<readonly WholePart[]> {
  const clean = textDoor(redact);
  const parts: WholePart[] = [];
  for (const [index, message] of messages.entries())
    for (const part of await messageParts(message, index, { clean, slices }))
      if (part.kind !== 'text' || /\S/.test(part.text)) parts.push(part);
  return parts;
}

/**
 * Writes parts as one JSON array: `{"i":0,"role":"user","text":"..."}`, an assistant's tool calls as
 * `"calls":[{"name":"...","input":"..."}]`, a tool's result with its `"name"`.
 */
export function renderTranscript(parts: readonly TranscriptPart[]): string {
  const entries: Entry[] = [];
  for (const part of parts) {
    const last = entries.at(-1);
    // A tool's result never shares an entry: its text must not be taken for the assistant's own.
    const joins = last?.i === part.index && last.name === undefined && part.kind !== 'result';
    const entry = joins ? last : addEntry(entries, part);
    if (part.kind === 'call') (entry.calls ??= []).push({ name: part.name, input: part.text });
    else entry.text = entry.text === undefined ? part.text : `${entry.text}\n${part.text}`;
  }
  return escapeJson(entries);
}

interface Entry {
  readonly i: number;
  readonly role: string;
  readonly name?: string | undefined;
  text?: string;
  calls?: { readonly name: string | undefined; readonly input: string }[];
}

/** How texts are read. */
interface Reading {
  readonly clean: TextDoor;
  readonly slices: TimeSlices;
}

function addEntry(entries: Entry[], part: TranscriptPart): Entry {
  const entry: Entry = {
    i: part.index,
    role: part.role,
    ...(part.kind === 'result' ? { name: part.name } : {}),
  };
  entries.push(entry);
  return entry;
}

async function messageParts(
  message: Message,
  index: number,
  reading: Reading,
): Promise<readonly WholePart[]> {
  const { role } = message;
  if (role === 'system')
    return [{ index, role, kind: 'text', text: reading.clean(message.content) }];
  const parts: WholePart[] = [];
  for (const part of message.content) {
    const read = await readPart(part, reading);
    if (read !== undefined) parts.push({ index, role, ...read });
    const pause = reading.slices.pause();
    if (pause !== undefined) await pause;
  }
  return parts;
}

type MessagePart = Exclude<Message['content'], string>[number];

async function readPart(
  part: MessagePart,
  reading: Reading,
): Promise<Omit<WholePart, 'index' | 'role'> | undefined> {
  const { clean } = reading;
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: clean(part.text) };
    case 'file':
      return { kind: 'text', text: fileText(part, clean), omittedCharacters: fileCharacters };
    case 'tool-call': {
      const { toolCallId } = part;
      const text = await toolText(part.input, reading);
      return { kind: 'call', name: clean(part.toolName), text, toolCallId };
    }
    case 'tool-result': {
      const { toolCallId } = part;
      const text = await outputText(part.output, reading);
      return { kind: 'result', name: clean(part.toolName), text, toolCallId };
    }
    case 'tool-approval-response': {
      const reason = part.reason === undefined ? '' : `: ${clean(part.reason)}`;
      const verdict = part.approved ? 'approved' : 'denied';
      return { kind: 'text', text: `[the user ${verdict} the tool call${reason}]` };
    }
    case 'reasoning':
    case 'reasoning-file':
    case 'custom':
    default:
      return undefined;
  }
}

function fileText(
  part: Pick<LanguageModelV4FilePart, 'data' | 'filename' | 'mediaType'>,
  clean: TextDoor,
): string {
  const name = part.filename === undefined ? '' : ` ${part.filename}`;
  const label = clean(`[${part.mediaType} file${name}]`);
  return part.data.type === 'text' ? `${label}\n${clean(part.data.text)}` : label;
}

async function outputText(
  output: LanguageModelV4ToolResultOutput,
  reading: Reading,
): Promise<string> {
  const { clean } = reading;
  switch (output.type) {
    case 'text':
    case 'json':
      return toolText(output.value, reading);
    case 'error-text':
    case 'error-json':
      return `[error] ${await toolText(output.value, reading)}`;
    case 'execution-denied':
      return `[the user denied the tool call${output.reason === undefined ? '' : `: ${clean(output.reason)}`}]`;
    case 'content':
    default:
      return output.value
        .map((item) => {
          if (item.type === 'text') return clean(item.text);
          return item.type === 'file' ? fileText(item, clean) : '';
        })
        .join('\n');
  }
}

async function toolText(value: unknown, { clean, slices }: Reading): Promise<string> {
  if (typeof value === 'string') return clean(value);
  // A call without input: `JSON.stringify` has no text for undefined.
  // The whole as well: a secret may be told by the key it stands under, or be a number.
  return value === undefined ? '' : clean(JSON.stringify(await boundJson(value, clean, slices)));
}
