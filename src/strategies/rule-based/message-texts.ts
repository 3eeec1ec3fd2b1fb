import { redactionDoor, type Redact } from '../../cleaning/redaction-door.ts';
import { maxReadableDepth, type JsonPlaces } from '../../json/json-steps.ts';
import { textSteps } from '../../json/text-steps.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import {
  readToolOutput,
  type OutputReader,
  type ToolOutput,
} from '../../prompt/read-message-part.ts';
import { isDocument } from '../../prompt/document-mark.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';

/** Whose words a text is. `document`: what stands in a user's message and the application says is not the user's. */
export type Speaker = 'user' | 'document' | 'assistant' | 'call' | 'result';

/** One text of a message. */
export interface MessageText {
  /** Position of the message among those given. */
  readonly index: number;
  readonly role: Speaker;
  readonly text: string;
}

/**
 * Lists the texts of messages in order: what was said, what tools were asked and what they answered, JSON without its
 * punctuation. Reasoning, files and provider-specific parts are left out.
 *
 * @param redact - Its door takes whole texts: a secret cut in two would not be recognised any more.
 */
export async function messageTexts(
  messages: readonly Message[],
  slices: TimeSlices,
  redact?: Redact,
): Promise<readonly MessageText[]> {
  const clean = redactionDoor(redact);
  const texts: MessageText[] = [];
  for (const [index, message] of messages.entries()) {
    const add = async (role: Speaker, whole: string): Promise<void> => {
      const text = clean(whole);
      if (/\S/.test(text)) texts.push({ index, role, text });
      await slices.pause();
    };
    if (message.role === 'system') {
      await add('assistant', message.content);
      continue;
    }
    for (const part of message.content) {
      if (part.type === 'text') await add(speakerOf(message, part), part.text);
      else if (part.type === 'file' && part.data.type === 'text')
        await add('result', part.data.text);
      else if (part.type === 'tool-call') await add('call', await flattened(part.input, slices));
      else if (part.type === 'tool-result')
        await add('result', await outputText(part.output, slices));
    }
  }
  return texts;
}

function speakerOf(message: Message, part: Parameters<typeof isDocument>[0]): Speaker {
  if (message.role !== 'user') return 'assistant';
  return isDocument(message) || isDocument(part) ? 'document' : 'user';
}

/** Longer texts are read as they are: `JSON.parse` of them would block the event loop for too long. */
const maxParsedCharacters = 400_000;

/** What a tool answered as plain text; JSON, also in a string, without its punctuation. */
export async function outputText(output: ToolOutput, slices: TimeSlices): Promise<string> {
  return readToolOutput(output, flatOutput, slices);
}

const flatOutput: OutputReader<TimeSlices, string | Promise<string>> = {
  text: ({ value }, slices) => {
    const parsed = parsedJson(value);
    return parsed === undefined ? value : flattened(parsed, slices);
  },
  json: ({ value }, slices) => flattened(value, slices),
  denied: ({ reason }) => reason ?? '',
  content: ({ value }) => value.map((item) => (item.type === 'text' ? item.text : '')).join('\n'),
  unknown: () => '',
};

/** The object or array that a text is the JSON of. */
export function parsedJson(text: string): object | undefined {
  if (text.length > maxParsedCharacters || !/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Characters after which the rest is left out: shared references could grow for ever. */
const maxCharacters = 4_000_000;

/**
 * Writes a JSON value of unknown origin as plain text, `key: value, key: value`, each object and list in it on a line
 * of its own. Cycles and nesting beyond 64 levels are left out.
 */
function flattened(value: unknown, slices: TimeSlices): Promise<string> {
  return runInSlices(textSteps(value, maxCharacters, plainPlaces), slices);
}

function plainPlaces(write: (piece: string) => void): JsonPlaces {
  let endsLine = false;
  return {
    begin: (value, depth, isAround) => {
      if (typeof value !== 'object' || value === null) write(String(value));
      else if (value instanceof Uint8Array) write(`${value.byteLength} bytes`);
      else if (depth < maxReadableDepth && !isAround(value)) return value;
      return undefined;
    },
    element: (place, element, isFirst) => {
      const isNamed = typeof place === 'string';
      if (isNamed && element === undefined) return false;
      const isNested = typeof element === 'object' && element !== null;
      if (!isFirst) write(endsLine || isNested ? '\n' : ', ');
      endsLine = false;
      if (isNamed) write(`${place}: `);
      return true;
    },
    end: () => {
      endsLine = true;
    },
  };
}
