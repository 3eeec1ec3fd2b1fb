import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { KeyValueStore } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

/** A client of a key-value server as it comes, with its own word for a key that holds nothing. */
function rawClient(nothing: unknown): KeyValueStore {
  const entries = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(untyped<string>(entries.get(key) ?? nothing)),
    set: (key, value) => {
      entries.set(key, value);
      return Promise.resolve(untyped<boolean>('OK'));
    },
    delete: (key) => {
      entries.delete(key);
      return Promise.resolve();
    },
  };
}

describe('a store that answers with something else where it holds nothing', () => {
  it.each([
    ['null', null],
    ['a number', 0],
    ['bytes', new Uint8Array(2)],
    ['an object', {}],
  ])('serves like any other: %s', async (_kind, nothing) => {
    const { inner, summarizer, events, model } = setUp({
      store: rawClient(nothing),
      secret: 'a secret of the operator',
    });
    await generateText({ model, messages: chat(19) });
    await generateText({ model, messages: chat(19) });
    expect(summaryOf(lastPrompt(inner))).toContain('They spoke of rivers.');
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(events.map(({ type }) => type)).not.toContain('failed');
  });
});
