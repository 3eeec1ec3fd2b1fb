import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { TimeSlices } from '../../../util/time-slices.ts';
import { flattenValue } from './flatten-value.ts';

/** Longer texts are read as they are: `JSON.parse` of them would block the event loop for too long. */
const maxParsedCharacters = 400_000;

/** What a tool answered as plain text; JSON, also in a string, without its punctuation. */
export async function outputText(
  output: LanguageModelV4ToolResultOutput,
  slices: TimeSlices,
): Promise<string> {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return withoutJson(output.value, slices);
    case 'json':
    case 'error-json':
      return flattenValue(output.value, slices);
    case 'execution-denied':
      return output.reason ?? '';
    case 'content':
      return output.value.map((item) => (item.type === 'text' ? item.text : '')).join('\n');
    default:
      return '';
  }
}

async function withoutJson(text: string, slices: TimeSlices): Promise<string> {
  const value = parsedJson(text);
  return value === undefined ? text : flattenValue(value, slices);
}

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
