import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../../src/index.ts';
import { storeKeys } from '../../../../src/stores/store-keys.ts';
import { summarize } from '../../../../src/text/index.ts';
import { modelResult, summarizer } from '../../../strategies/llm/fixtures.ts';

const report = 'The committee met and agreed on the next step. '.repeat(40);

describe('summarize with a store', () => {
  it.each([
    ['is longer than what it stands for', 'again '.repeat(100_000)],
    ['says nothing anybody sees', '\u00ad\u3164\u{e0041}'],
  ])('takes no stored summary that %s', async (_, stored) => {
    const secret = 'a secret of the tests';
    const model = summarizer([modelResult('Words.')]);
    const store = {
      get: (key: string) => storeKeys(secret, '').seal(key, stored, Date.now() + 1e6),
      set: async () => true,
      delete: async () => {},
    };
    const { summary } = await summarize(report, { model, store, secret });
    expect(summary).toBe('Words.');
  });

  it('pays again where what is stored was sealed with other keys, for another text, or has expired', async () => {
    const publicKeys = storeKeys('ai-sdk-summarization:summarize', '');
    const later = Date.now() + 1e6;
    const readers = [
      (key: string) => storeKeys('another', '').seal(key, 'x', later),
      (key: string) => publicKeys.seal(`${key}x`, 'x', later),
      (key: string) => publicKeys.seal(key, 'x', Date.now()),
    ];
    for (const get of readers) {
      const model = summarizer([modelResult('Words.')]);
      const store = { ...memoryStore(), get };
      for (let call = 1; call <= 2; call += 1) {
        expect((await summarize(report, { model, store })).summary).toBe('Words.');
        expect(model.doGenerateCalls).toHaveLength(call);
      }
    }
  });
});
