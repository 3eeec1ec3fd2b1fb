import type { LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { textDoor, type Redact, type TextDoor } from '../../cleaning/text-door.ts';
import { boundJson } from '../../json/bound-json.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import type { TimeSlices } from '../../util/time-slices.ts';

/** One text of a message, as a summariser reads it. The smallest unit a transcript is split at. */
export interface TranscriptPart {
  /** Position of the message among those to summarise. */
  readonly index: number;
  readonly role: Message['role'];
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
  readonly clean: TextDoor;
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
  const reading = { clean: textDoor(redact), slices };
  const parts: TranscriptPart[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const given =
      typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    for (const part of given) {
      const said = await saidBy(part, reading);
      if (said !== undefined && (said.kind !== 'text' || /\S/.test(said.text)))
        parts.push({ index, role, ...said });
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
  }
  return parts;
}

type MessagePart = Exclude<Message['content'], string>[number];

async function saidBy(
  part: MessagePart,
  reading: PartReading,
): Promise<Omit<TranscriptPart, 'index' | 'role'> | undefined> {
  const { clean } = reading;
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: clean(part.text) };
    case 'file':
      return { kind: 'text', text: fileText(part, clean), omittedCharacters: fileCharacters };
    case 'tool-call': {
      const { toolCallId } = part;
      const text = await toolText(part.input, reading);
      return { kind: 'call', name: clean(part.toolName), toolCallId, text };
    }
    case 'tool-result': {
      const { toolCallId } = part;
      const text = await resultText(part.output, reading);
      return { kind: 'result', name: clean(part.toolName), toolCallId, text };
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

async function resultText(
  output: LanguageModelV4ToolResultOutput,
  reading: PartReading,
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

async function toolText(value: unknown, { clean, slices }: PartReading): Promise<string> {
  if (typeof value === 'string') return clean(value);
  // A call without input: `JSON.stringify` has no text for undefined.
  // The whole as well: a secret may be told by the key it stands under, or be a number.
  return value === undefined ? '' : clean(JSON.stringify(await boundJson(value, clean, slices)));
}
