import { describe, expect, it } from 'vitest';
import { quotedIn } from '../../../src/overflow/quoted-text.ts';
import type { Prompt } from '../../support/prompt-types.ts';
import { runAtOnce } from '../../../src/util/async/run-steps.ts';
import { assistant, call, result, system, user } from '../../support/prompt-messages.ts';

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
    expect(runAtOnce(quotedIn(prompt))(words)).toBe(expected);
    expect(runAtOnce(quotedIn(prompt))(words.toUpperCase())).toBe(expected);
  });

  it('takes everything for quoted after 64 lookups', () => {
    const isQuoted = runAtOnce(quotedIn(prompt));
    const answers = Array.from({ length: 66 }, () => isQuoted('nowhere'));
    expect(answers).toEqual([...Array(64).fill(false), true, true]);
  });

  it('finds words wherever they stand in a long text, and reads it in steps', () => {
    const filler = ' \n'.repeat(20_000);
    for (let shift = 0; shift < 40; shift += 1) {
      const text = `${'x'.repeat(16_384 * 3 - shift)}Too ${shift % 2 === 0 ? filler : ''} long${filler}.`;
      const steps = quotedIn([user(text)]);
      expect(runAtOnce(steps)('too long .')).toBe(true);
    }
    expect([...quotedIn([user('x'.repeat(2_000_000))])].length).toBeGreaterThan(120);
  });

  it('reads a large value in steps', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `name ${index}`);
    const steps = quotedIn([assistant('', call('call_1', { input: { names } }))]);
    let made = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) made += 1;
    expect(made).toBeGreaterThan(90);
    expect(step.value('name 99999')).toBe(true);
  });
});

describe('quotedIn', () => {
  it('finds words in the texts of a body, and not in its numbers', () => {
    const body = { messages: [{ content: 'Too  Long' }], limit: 256 };
    const isQuoted = runAtOnce(quotedIn(body));
    expect(isQuoted('too long')).toBe(true);
    expect(isQuoted('256')).toBe(false);
  });
});
