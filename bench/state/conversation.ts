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
 */
export function conversation(number: number, length = 19): LanguageModelV4Prompt {
  return Array.from({ length }, (_, index) => {
    const text = `Message ${index} of number ${number}: ${words(index)}`;
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
