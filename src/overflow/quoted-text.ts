import type { Prompt } from '../prompt/prompt-types.ts';
import { measureMessage } from '../tokens/measure-message.ts';
import { walkJson } from '../json/walk-json.ts';

/** Says whether some words of an error, in lower case, stand in what was sent. */
export type IsQuoted = (words: string) => boolean;

/** Words looked for in one prompt at the most: an error may repeat itself, and a prompt be of any size. */
const maxLookups = 64;

/**
 * Looks for words of an error in the messages of its call: a provider that quotes them says nothing of
 * itself. The messages are read when the first words are looked for.
 */
export function quotedIn(prompt: Prompt): IsQuoted {
  return quotedAmong((add) => {
    const json = { text: add, number: () => {} };
    for (const message of prompt)
      measureMessage(message, {
        text: (text) => (add(text), 0),
        json: (value) => (walkJson(value, json), 0),
        file: () => 0,
      });
  });
}

/** The same for a request of which only the body is known. */
export function quotedInBody(body: unknown): IsQuoted {
  return quotedAmong((add) => walkJson(body, { text: add, number: () => {} }));
}

function quotedAmong(read: (add: (text: string) => void) => void): IsQuoted {
  let texts: string[] | undefined;
  let lookups = 0;
  return (words) => {
    lookups += 1;
    if (lookups > maxLookups) return true;
    if (texts === undefined) {
      const found: string[] = [];
      read((text) => found.push(normal(text)));
      texts = found;
    }
    const wanted = normal(words);
    return texts.some((text) => text.includes(wanted));
  };
}

function normal(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ');
}
