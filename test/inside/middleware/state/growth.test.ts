import type { ModelMessage } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { assistant, user, words } from '../../../support/messages.ts';
import { sharedStore, type SharedStore } from '../../../support/shared-store.ts';
import { processes, withFakeClock } from '../../../middleware/state/processes.ts';

withFakeClock();

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
  return [...entries].reduce((total, [key, { value }]) => total + key.length + value.length, 0);
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
  ])('grows by less than 512 bytes a turn, and stays below 80,000, %s', async (_how, own) => {
    const store = sharedStore();
    const sizes = await longChat(400, store, own);
    const [half = 0, whole = 0] = [sizes[sizes.length / 2 - 1], sizes.at(-1)];
    expect((whole - half) / 200).toBeLessThan(512);
    expect(Math.max(...sizes)).toBeLessThan(80_000);
  });
});
