import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chat } from '../../support/messages.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { fakeClock, processes } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);

describe('the namespace of a call', () => {
  it('keeps tenants with equal histories apart, in the process and in the store', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const { send } = start(store.open());
    const one = await send(messages, { namespace: 'one' });
    const keys = new Set(store.entries.keys());
    const other = await send(messages, { namespace: 'other' });
    expect(other).not.toBe(one);
    expect(paid()).toBe(2);
    const ofOther = [...store.entries.keys()].filter((key) => !keys.has(key));
    const groups = (of: Iterable<string>): Set<string> =>
      new Set([...of].map((key) => key.slice(0, 16)));
    expect(groups(keys).size).toBe(1);
    expect(groups(ofOther).size).toBe(1);
    expect(groups(ofOther)).not.toEqual(groups(keys));
  });

  it.each([
    ['the same string', { namespace: 'one' }, { namespace: 'one' }, 1],
    ['a string with a space behind', { namespace: 'one' }, { namespace: 'one ' }, 2],
    ['other capitals', { namespace: 'one' }, { namespace: 'One' }, 2],
    ['another composition of the same letter', { namespace: 'é' }, { namespace: 'e\u0301' }, 2],
    ['a namespace and none', { namespace: 'one' }, {}, 2],
    ['the empty one and none', { namespace: '' }, {}, 1],
    [
      'a border between namespace and id that lies elsewhere',
      { namespace: 'a', conversationId: 'bc' },
      { namespace: 'ab', conversationId: 'c' },
      2,
    ],
  ])('is compared as it is: %s', async (_what, one, other, bills) => {
    const { start, paid } = processes();
    const store = sharedStore();
    await start(store.open()).send(messages, one);
    await start(store.open()).send(messages, other);
    expect(paid()).toBe(bills);
  });

  it('is that of the middleware by default, and goes before it', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const first = start(store.open(), { namespace: 'one' });
    const sent = await first.send(messages);
    const second = start(store.open(), { namespace: 'other' });
    expect(await second.send(messages, { namespace: 'one' })).toBe(sent);
    expect(paid()).toBe(1);
    await second.send(messages);
    expect(paid()).toBe(2);
  });
});
