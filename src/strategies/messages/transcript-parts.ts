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
      const isMarked = role === 'user' && (isDocument(message) || isDocument(part));
      const said = await readMessagePart(part, saying, reading);
      if (said !== undefined && (said.kind !== 'text' || /\S/.test(said.text)))
        parts.push({ index, role: isMarked ? 'document' : role, ...said });
      await slices.pause();
    }
  }
  return parts;
}

type Said = Omit<TranscriptPart, 'index' | 'role'>;

const nothing = (): undefined => undefined;
const saidText = (text: string): Said => ({ kind: 'text', text });

const saying: PartReader<PartReading, Said | undefined | Promise<Said>> = {
  text: ({ text }, { clean }) => saidText(clean(text)),
  file: ({ mediaType, filename = '', data }, { clean }) => {
    const label = clean(`[${mediaType} file${filename === '' ? '' : ` ${filename}`}]`);
    const text = data.type === 'text' ? `${label}\n${clean(data.text)}` : label;
    return { ...saidText(text), omittedCharacters: fileCharacters };
  },
  reasoning: nothing,
  reasoningFile: nothing,
  call: async (part, reading) => ofTool('call', part, await toolText(part.input, reading), reading),
  result: async (part, reading) =>
    ofTool('result', part, await readToolOutput(part.output, resultText, reading), reading),
  approval: ({ approved, reason }, { clean }) =>
    saidText(verdict(approved ? 'approved' : 'denied', reason, clean)),
  custom: nothing,
  unknown: ({ type }, { clean }) => saidText(clean(`[part of an unknown type: ${String(type)}]`)),
};

function ofTool(
  kind: 'call' | 'result',
  { toolName, toolCallId }: { readonly toolName: string; readonly toolCallId: string },
  text: string,
  { clean }: PartReading,
): Said {
  return { kind, name: clean(toolName), toolCallId: clean(toolCallId), text };
}

function verdict(word: string, reason: string | undefined, clean: RedactionDoor): string {
  return `[the user ${word} the tool call${reason === undefined ? '' : `: ${clean(reason)}`}]`;
}

const resultText: OutputReader<PartReading, string | Promise<string>> = {
  text: valueText,
  json: valueText,
  denied: ({ reason }, { clean }) => verdict('denied', reason, clean),
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
