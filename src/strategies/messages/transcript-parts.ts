import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import { redactionDoor, type Redact, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import { boundJson } from '../../json/bound-json.ts';
import { stringifySteps } from '../../json/stringify-json.ts';
import { isDocument } from '../../prompt/document-mark.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import {
  readMessagePart,
  readToolOutput,
  type OutputReader,
  type PartReader,
} from '../../prompt/read-message-part.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';

/** One text of a message, as a summariser reads it. The smallest unit a transcript is split at. */
export interface TranscriptPart {
  /** Position of the message among those to summarise. */
  readonly index: number;
  /** `document`: of a user's message, what the application says is not the user's. */
  readonly role: Message['role'] | 'document';
  /** `call` is a tool call's input, `result` a tool's output. */
  readonly kind: 'text' | 'call' | 'result';
  /** Tool name of a call or result. */
  readonly name?: string | undefined;
  /** Joins a tool's result to its call. */
  readonly toolCallId?: string | undefined;
  readonly text: string;
  /** Characters of the original that are not in `text`: the middle of a tool output, a file. */
  readonly omittedCharacters?: number | undefined;
}

/** What a file counts as: about the 1,000 tokens that providers bill for an image. */
const fileCharacters = 4000;

/** How texts are read. */
interface PartReading {
  readonly clean: RedactionDoor;
  readonly slices: TimeSlices;
}

/**
 * Turns messages into the parts a summariser reads, whole. Every text goes through the door of `redact`.
 * Files stand as placeholders; blank texts, reasoning and provider-specific parts are left out.
 */
export async function transcriptParts(
  messages: readonly Message[],
  slices: TimeSlices,
  redact?: Redact,
): Promise<readonly TranscriptPart[]> {
  const reading = { clean: redactionDoor(redact), slices };
  const parts: TranscriptPart[] = [];
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    const given =
      typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    for (const part of given) {
      const said = await readMessagePart(part, saying, reading);
      if (said !== undefined && (said.kind !== 'text' || /\S/.test(said.text)))
        parts.push({ index, role: isMarked(message, part) ? 'document' : role, ...said });
      await slices.pause();
    }
  }
  return parts;
}

function isMarked(message: Message, part: object): boolean {
  return message.role === 'user' && (isDocument(message) || isDocument(part));
}

type Said = Omit<TranscriptPart, 'index' | 'role'>;

const saying: PartReader<PartReading, Said | undefined | Promise<Said>> = {
  text: ({ text }, { clean }) => ({ kind: 'text', text: clean(text) }),
  file: (part, { clean }) => ({
    kind: 'text',
    text: fileText(part, clean),
    omittedCharacters: fileCharacters,
  }),
  reasoning: () => undefined,
  reasoningFile: () => undefined,
  call: async ({ toolCallId, toolName, input }, reading) => ({
    kind: 'call',
    name: reading.clean(toolName),
    toolCallId: reading.clean(toolCallId),
    text: await toolText(input, reading),
  }),
  result: async ({ toolCallId, toolName, output }, reading) => ({
    kind: 'result',
    name: reading.clean(toolName),
    toolCallId: reading.clean(toolCallId),
    text: await readToolOutput(output, resultText, reading),
  }),
  approval: ({ approved, reason }, { clean }) => {
    const because = reason === undefined ? '' : `: ${clean(reason)}`;
    const verdict = approved ? 'approved' : 'denied';
    return { kind: 'text', text: `[the user ${verdict} the tool call${because}]` };
  },
  custom: () => undefined,
  unknown: ({ type }, { clean }) => ({
    kind: 'text',
    text: clean(`[part of an unknown type: ${String(type)}]`),
  }),
};

function fileText(
  part: Pick<LanguageModelV4FilePart, 'data' | 'filename' | 'mediaType'>,
  clean: RedactionDoor,
): string {
  const name = part.filename === undefined ? '' : ` ${part.filename}`;
  const label = clean(`[${part.mediaType} file${name}]`);
  return part.data.type === 'text' ? `${label}\n${clean(part.data.text)}` : label;
}

const resultText: OutputReader<PartReading, string | Promise<string>> = {
  text: valueText,
  json: valueText,
  denied: ({ reason }, { clean }) =>
    `[the user denied the tool call${reason === undefined ? '' : `: ${clean(reason)}`}]`,
  content: async ({ value }, reading) => {
    const said: string[] = [];
    for (const part of value) said.push((await readMessagePart(part, saying, reading))?.text ?? '');
    return said.join('\n');
  },
  unknown: ({ type }, { clean }) => clean(`[output of an unknown type: ${String(type)}]`),
};

async function valueText(
  { type, value }: { readonly type: string; readonly value: unknown },
  reading: PartReading,
): Promise<string> {
  return `${type.startsWith('error') ? '[error] ' : ''}${await toolText(value, reading)}`;
}

async function toolText(value: unknown, { clean, slices }: PartReading): Promise<string> {
  if (typeof value === 'string') return clean(value);
  // A call without input: JSON has no text for undefined.
  if (value === undefined) return '';
  // The whole as well: a secret may be told by the key it stands under, or be a number.
  const bounded = await boundJson(value, clean, slices);
  return clean(await runInSlices(stringifySteps(bounded), slices));
}
