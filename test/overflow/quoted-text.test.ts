import { describe, expect, it } from 'vitest';
import { quotedIn, quotedInBody } from '../../src/overflow/quoted-text.ts';
import type { Prompt } from '../../src/prompt/prompt-types.ts';
import { assistant, call, result, system, user } from '../support/prompt-messages.ts';

const prompt: Prompt = [
  system('Be kind to\n\t all.'),
  user('What is 17 times 3?'),
  assistant('', call('call_1', { input: { path: ['notes.md'], depth: 42 } })),
  { role: 'tool', content: [result('call_1', 'Nothing Found')] },
  { role: 'user', content: [{ type: 'file', mediaType: 'text/plain', data: fileText('hidden') }] },
];

function fileText(text: string) {
  return { type: 'text', text } as const;
}

describe('quotedIn', () => {
  it.each([
    ['a system message, whatever its spaces', 'be kind to all', true],
    ['a system message, whatever the spaces of the words', 'kind  to\nall', true],
    ['words run together', 'kindto', false],
    ['a message of the user', 'times 3', true],
    ['the input of a tool', 'notes.md', true],
    ['a result, whatever its letters', 'nothing found', true],
    ['words of more than one message', 'all. what', false],
    ['what is nowhere', 'stryker', false],
  ])('finds in a prompt: %s', (_what, words, expected) => {
    expect(quotedIn(prompt)(words)).toBe(expected);
    expect(quotedIn(prompt)(words.toUpperCase())).toBe(expected);
  });

  it('takes everything for quoted after 64 lookups', () => {
    const isQuoted = quotedIn(prompt);
    const answers = Array.from({ length: 66 }, () => isQuoted('nowhere'));
    expect(answers).toEqual([...Array(64).fill(false), true, true]);
  });

  it('reads the messages once, when the first words are looked for', () => {
    let reads = 0;
    const counted: Prompt = [
      {
        role: 'user',
        get content() {
          reads += 1;
          return user('Hello.').content;
        },
      },
    ];
    const isQuoted = quotedIn(counted);
    expect(reads).toBe(0);
    expect(isQuoted('hello')).toBe(true);
    const once = reads;
    expect(isQuoted('hello')).toBe(true);
    expect(reads).toBe(once);
  });
});

describe('quotedInBody', () => {
  it('finds words in the texts of a body, and not in its numbers', () => {
    const isQuoted = quotedInBody({ messages: [{ content: 'Too  Long' }], limit: 256 });
    expect(isQuoted('too long')).toBe(true);
    expect(isQuoted('256')).toBe(false);
  });
});
