import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

const vocabulary =
  'river stone cloud market engine paper garden winter signal bridge candle forest mirror pocket silver'.split(
    ' ',
  );

/** Tokens of the model that these conversations reach the threshold of with 19 messages. */
export const contextLength = 1000;

/**
 * A conversation at the threshold, on fresh objects.
 *
 * @param number - Tells it from the others.
 * @param alike - How many of its first messages are those of all others.
 */
export function conversation(number: number, alike = 0, length = 19): LanguageModelV4Prompt {
  return Array.from({ length }, (_, index) => {
    const of = index < alike ? 'everybody' : `number ${number}`;
    const text = `Message ${index} of ${of}: ${words(index)}`;
    const content = [{ type: 'text' as const, text }];
    return index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content };
  });
}

function words(seed: number): string {
  return Array.from(
    { length: 40 },
    (_, index) => vocabulary[(seed * 7 + index * 4) % vocabulary.length],
  ).join(' ');
}
