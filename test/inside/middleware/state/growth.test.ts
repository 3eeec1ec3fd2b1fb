import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stateScope } from '../../../../src/state/prefixes/state-scope.ts';
import { identifyConversation } from '../../../../src/identity/conversation-identity.ts';
import { storeKeyring } from '../../../../src/stores/seal/store-keys.ts';
import { assistant, user, words } from '../../../support/messages.ts';
import { sealedText } from '../../../support/sealed-text.ts';
import { sharedStore, type SharedStore } from '../../../support/shared-store.ts';
import { fakeClock, processes, secret } from '../../../middleware/state/processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const hour = 3_600_000;
const turnsOfCall = 5;

function history(turns: number): ModelMessage[] {
  return [
    ...Array.from({ length: turns }, (_, turn) => [
      user(`Question ${turn}: ${words(turn, 20)}`),
      assistant(`Answer ${turn}: ${words(turn + 1, 20)}`),
    ]).flat(),
    user('Go on.'),
  ];
}

/** Characters of what a store holds now. */
function sizeOf({ entries }: SharedStore): number {
  const now = Date.now();
  return [...entries]
    .filter(([, { expiresAt }]) => expiresAt > now)
    .reduce((total, [key, { value }]) => total + key.length + value.length, 0);
}

/** What the values say that are no list, newest last. */
function recordsIn({ entries }: SharedStore): readonly Record<string, unknown>[] {
  const now = Date.now();
  return [...entries.values()]
    .filter(({ expiresAt }) => expiresAt > now)
    .map(({ value }): Record<string, unknown> => JSON.parse(sealedText(value)))
    .filter((value) => 'record' in value || 'prefixDigest' in value);
}

/** A chat whose every fifth turn is sent, ten minutes after the one before. */
async function longChat(turns: number, store: SharedStore, own = {}): Promise<readonly number[]> {
  const { start } = processes();
  const { send } = start(store.open());
  const sizes: number[] = [];
  for (let turn = turnsOfCall; turn <= turns; turn += turnsOfCall) {
    await send(history(turn), own);
    sizes.push(sizeOf(store));
    vi.advanceTimersByTime(hour / 6);
  }
  return sizes;
}

describe('what a long conversation leaves in the store', () => {
  it.each([
    ['found by its content', {}],
    ['with an id', { conversationId: 'chat' }],
  ])('grows by less than 512 bytes a turn, %s', async (_how, own) => {
    const store = sharedStore();
    const sizes = await longChat(400, store, own);
    const [half = 0, whole = 0] = [sizes[sizes.length / 2 - 1], sizes.at(-1)];
    expect((whole - half) / 200).toBeLessThan(512);
  });

  it('are no texts but of the newest record, an hour after', async () => {
    const store = sharedStore();
    await longChat(100, store);
    expect(recordsIn(store).filter((value) => 'record' in value).length).toBeGreaterThan(1);
    vi.advanceTimersByTime(hour);
    const values = recordsIn(store);
    expect(values.filter((value) => 'record' in value)).toHaveLength(1);
    const skeletons = values.filter((value) => !('record' in value));
    expect(skeletons.length).toBeGreaterThan(3);
    expect(JSON.stringify(skeletons)).not.toContain('Summary');
  });

  it('is the chain of its records, each with the messages that it stands for first', async () => {
    const store = sharedStore();
    await longChat(100, store);
    vi.advanceTimersByTime(hour);
    const newest = recordsIn(store).find((value) => 'record' in value);
    const [keys] = storeKeyring({ secret, namespace: '' });
    const scope = stateScope(identifyConversation([]), undefined);
    const ids: unknown[][] = [];
    let link: Record<string, unknown> = { ...Object(newest?.['record']), ...newest };
    const newIds = (): unknown[] => [link['originalMessageIds']].flat();
    for (ids.push(newIds()); typeof link['parentDigest'] === 'string'; ids.unshift(newIds())) {
      const { coveredMessages: count, parentDigest: digest } = link;
      const key = await scope.skeletonKey(keys, digest);
      const opened = await keys.open(key, store.entries.get(key)?.value ?? '');
      expect(opened).toBeDefined();
      const parent: Record<string, unknown> = JSON.parse(opened?.text ?? '');
      expect(Number(count) - Number(parent['coveredMessages'])).toBe(ids[0]?.length);
      expect(parent['prefixDigest']).toBe(digest);
      link = parent;
    }
    expect(link['coveredMessages']).toBe(ids[0]?.length);
    expect(ids.length).toBeGreaterThan(3);
    expect(new Set(ids.flat()).size).toBe(Number(Object(newest?.['record']).coveredMessages));
  });
});
