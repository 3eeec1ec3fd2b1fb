import { canonicalSteps } from '../json/canonical-json.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';

/** Gives the text of a JSON value that a tool answered. */
export type JsonText = (value: unknown) => string;

/** Writes the JSON of tool outputs, once however many lengths are tried for it, in slices. */
export async function jsonTexts(
  messages: readonly Message[],
  slices: TimeSlices,
): Promise<JsonText> {
  const texts = new Map<unknown, string>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      const output = part.type === 'tool-result' ? part.output : undefined;
      if (output?.type !== 'json' && output?.type !== 'error-json') continue;
      const { value } = output;
      if (texts.has(value)) continue;
      const isText = typeof value === 'string';
      texts.set(value, isText ? value : await runInSlices(canonicalSteps(value), slices));
    }
  }
  return (value) => texts.get(value) ?? '';
}
