import { describe, expect, it } from 'vitest';
import { condenseToolResults } from '../../../src/fitting/shorter-messages.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, call, result, user } from '../../support/prompt-messages.ts';

const output = 'a line of the file\n'.repeat(50);
const prompt: Message[] = [
  user('Read both.'),
  assistant('', call('1', { input: { path: 'a.ts' } }), call('2', { input: { path: 'b.ts' } })),
  { role: 'tool', content: [result('1', output)] },
  { role: 'tool', content: [result('2', output)] },
  { role: 'tool', content: [] },
];

describe('condenseToolResults', () => {
  it.each([
    ['none', [], []],
    ['the first', [2], ['a.ts']],
    ['the second', [3], ['b.ts']],
    ['both, and what is no output stays', [0, 1, 2, 3, 4], ['a.ts', 'b.ts']],
  ])('condenses of two outputs %s', (_which, stale, expected) => {
    const messages = new Set(prompt.filter((_, index) => stale.includes(index)));
    const condensed = condenseToolResults(prompt, messages, {});
    expect(condensed).toHaveLength(prompt.length);
    const changed = condensed.filter((message, index) => message !== prompt[index]);
    expect(changed).toHaveLength(expected.length);
    for (const [index, path] of expected.entries()) {
      const text = JSON.stringify(changed[index]);
      expect(text).toContain(path);
      expect(text.length).toBeLessThan(300);
    }
  });

  it('condenses no result that stands in an answer, nor takes it for its call', () => {
    const answer = assistant('', call('1', { input: { path: 'a.ts' } }), result('1', output));
    const messages: Message[] = [answer, { role: 'tool', content: [result('1', output)] }];
    const condensed = condenseToolResults(messages, new Set(messages), {});
    expect(condensed[0]).toBe(answer);
    expect(JSON.stringify(condensed[1])).toContain('a.ts');
    expect(JSON.stringify(condensed[1]).length).toBeLessThan(300);
  });

  it('leaves what is no result beside one as it is', () => {
    const response = { type: 'tool-approval-response', approvalId: '1', approved: true } as const;
    const message: Message = { role: 'tool', content: [response, result('1', output)] };
    const [condensed] = condenseToolResults([message], new Set([message]), {});
    expect(condensed?.content[0]).toBe(response);
    expect(condensed?.content[1]).not.toBe(message.content[1]);
  });

  it('leaves what was read from the archive: it is not in front of the model again', () => {
    const value = { recalledFromArchive: true, passages: [{ position: 0, text: output }] };
    const recalled: Message = {
      role: 'tool',
      content: [{ ...result('1'), output: { type: 'json', value } }],
    };
    const [, condensed] = condenseToolResults(
      [prompt[1] ?? recalled, recalled],
      new Set([recalled]),
      {},
    );
    expect(condensed).toEqual(recalled);
  });
});
