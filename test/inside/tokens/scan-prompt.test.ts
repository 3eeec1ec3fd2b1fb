import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { scanPrompt } from '../../../src/tokens/scan-prompt.ts';
import { runAtOnce } from '../../../src/util/async/run-steps.ts';
import { upperBoundTokens } from '../../../src/tokens/upper-bound-tokens.ts';

const openai = { provider: 'openai.responses', modelId: 'gpt-5' };

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function result(value: unknown): Message {
  const output = { type: 'json' as const, value: JSON.parse(JSON.stringify(value)) };
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output }],
  };
}

function lastMark(...prompt: Message[]): number | undefined {
  return scanPrompt({ prompt }, 'openai').prefixHashes.at(-1);
}

describe('scanPrompt', () => {
  it('bounds what the bytes bound, for any text and JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
        const prompt = [user(text), result(value)];
        expect(scanPrompt({ prompt }, 'openai').bound).toBeGreaterThanOrEqual(
          runAtOnce(upperBoundTokens({ prompt }, openai)),
        );
      }),
    );
  });

  it('does not look at system messages for its hashes, but counts their length', () => {
    const system: Message = { role: 'system', content: 'Today is Monday.' };
    const other: Message = { role: 'system', content: 'Today is Friday, the 2nd.' };
    expect(lastMark(system, user('Hi'))).toBe(lastMark(other, user('Hi')));
    expect(scanPrompt({ prompt: [system] }, 'openai').systemCharacters).toBe(16);
  });

  it.each([
    ['a longer text', [user('Hello there')]],
    ['another first character', [user('hello')]],
    ['another role', [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }]],
    ['one more message', [user('Hello'), user('')]],
  ] satisfies [string, Message[]][])('hashes %s as another prompt', (_, prompt) => {
    expect(lastMark(...prompt)).not.toBe(lastMark(user('Hello')));
  });

  it('gives a prompt the mark of its beginning on the way', () => {
    const first = scanPrompt({ prompt: [user('a'), user('b')] }, 'openai');
    const more = scanPrompt({ prompt: [user('a'), user('b'), user('c')] }, 'openai');
    expect(more.prefixHashes.slice(0, 2)).toEqual(first.prefixHashes);
  });

  it('hashes other tools to another value', () => {
    const tool = {
      type: 'function' as const,
      name: 'read',
      inputSchema: { type: 'object' as const },
    };
    const mark = (name: string): number =>
      scanPrompt({ prompt: [], tools: [{ ...tool, name }] }, 'openai').overheadHash;
    expect(mark('read')).toBe(mark('read'));
    expect(mark('write')).not.toBe(mark('read'));
  });
});
