import {
  readToolOutput,
  type OutputReader,
  type ToolOutput,
} from '../../../prompt/read-message-part.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { flattenValue } from './flatten-value.ts';

/** Longer texts are read as they are: `JSON.parse` of them would block the event loop for too long. */
const maxParsedCharacters = 400_000;

/** What a tool answered as plain text; JSON, also in a string, without its punctuation. */
export async function outputText(output: ToolOutput, slices: TimeSlices): Promise<string> {
  return readToolOutput(output, flatOutput, slices);
}

const flatOutput: OutputReader<TimeSlices, string | Promise<string>> = {
  text: ({ value }, slices) => {
    const parsed = parsedJson(value);
    return parsed === undefined ? value : flattenValue(parsed, slices);
  },
  json: ({ value }, slices) => flattenValue(value, slices),
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
