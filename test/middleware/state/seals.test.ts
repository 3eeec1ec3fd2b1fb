import { describe, expect, it } from 'vitest';
import { eraseConversation, listSummaries } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { processes, secret, settled, withFakeClock } from './processes.ts';

withFakeClock();

const messages = chat(19);
const newSecret = 'the next secret of the operator';
const whole = JSON.stringify(
  messages.map(({ role, content }) => ({ role, content: [{ type: 'text', text: content }] })),
);

it('a secret that takes the place of another costs nothing and changes no byte', async () => {
  const { start, paid } = processes();
  const store = sharedStore();
  const before = await start(store.open()).send(messages);
  const rotating = start(store.open(), { secret: [newSecret, secret] });
  expect(await rotating.send(messages)).toBe(before);
  expect(paid()).toBe(1);
  const state = { store: store.open(), secret: [newSecret, secret], messages };
  expect(await listSummaries(state)).toHaveLength(1);
  expect(await settled(eraseConversation(state))).toMatchObject({ records: 1 });
  for (const each of [secret, newSecret])
    expect(await listSummaries({ ...state, store: store.open(), secret: each })).toEqual([]);
});

it('a store that is encrypted holds no plain text, and what was stored without is read', async () => {
  const { start, paid } = processes();
  const store = sharedStore();
  const before = await start(store.open(), { encrypt: true }).send(messages);
  for (const { value } of store.entries.values()) {
    expect(value).toMatch(/^sealed3:[0-9a-f]{64}:[0-9a-f]{24}:/);
    expect(Buffer.from(value.split(':').at(-1) ?? '', 'base64').toString('latin1')).not.toMatch(
      /Summary|entries|count/,
    );
  }
  expect(await start(store.open()).send(messages)).toBe(before);
  expect(paid()).toBe(1);
  const plain = sharedStore();
  const sent = await start(plain.open()).send(messages);
  expect(await start(plain.open(), { encrypt: true }).send(messages)).toBe(sent);
  expect(paid()).toBe(2);
});

describe('whoever can write to the store', () => {
  /** Places in a value at which a letter is altered, spread over it. */
  const places = Array.from({ length: 16 }, (_, index) => index / 16);

  it.each([false, true])(
    'changes no byte of what is sent, encrypted or not: %s',
    async (encrypt) => {
      const { start } = processes();
      const store = sharedStore();
      const sent = await start(store.open(), { encrypt }).send(messages);
      // Below the trigger: a summary is sent as it was made, or none.
      const read = async (): Promise<string> =>
        start(store.open(), { encrypt, strategy: 'none' }).send(messages);
      expect(await read()).toBe(sent);
      const kept = [...store.entries];
      for (const [index, [key, mine]] of kept.entries()) {
        const altered = places.map((place) => {
          const at = Math.floor(place * mine.value.length);
          const letter = String.fromCodePoint((mine.value.codePointAt(at) ?? 0) ^ (1 + index));
          return mine.value.slice(0, at) + letter + mine.value.slice(at + 1);
        });
        const others = kept.filter(([other]) => other !== key).map(([, { value }]) => value);
        for (const value of [...altered, ...others]) {
          for (const [each, entry] of kept) store.entries.set(each, entry);
          store.entries.set(key, { ...mine, value });
          expect([sent, whole]).toContain(await read());
        }
      }
    },
  );
});
