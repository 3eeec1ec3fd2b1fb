import { describe, expect, it } from 'vitest';
import type { Priority, Message } from '../../../src/index.ts';
import { restoreMessages, type Shortened } from '../../../src/fitting/restore-messages.ts';
import { shrinkMessage } from '../../../src/fitting/shrink-messages.ts';
import { result, user } from '../../support/prompt-messages.ts';
import { charactersOf } from './call-to-fit.ts';

const count = async (message: Message): Promise<number> => charactersOf(message);

function printed(length: number): Message {
  return { role: 'tool', content: [result('1', 'x'.repeat(length))] };
}

const said: Shortened = { index: 3, full: user('y'.repeat(600)), least: user('y'.repeat(200)) };
const older: Shortened = { index: 1, full: printed(1000), least: printed(100) };
const newer: Shortened = { index: 5, full: printed(500), least: printed(100) };
const shortened = [older, newer, said];

describe('restoreMessages', () => {
  it.each<[string, number, Record<number, number>]>([
    ['nothing for next to no room', 3, {}],
    ['nothing where a little more says no more', 4, {}],
    ['what the user said first', 400, { 3: 600 }],
    ['then the newest output', 800, { 3: 600, 5: 500 }],
    ['all of it at last', 1700, { 1: 1000, 3: 600, 5: 500 }],
  ])('restores %s', async (_what, room, expected) => {
    const restored = await restoreMessages(shortened, room, count);
    const sizes = [...restored].map(([index, message]) => [index, charactersOf(message)]);
    expect(Object.fromEntries(sizes)).toEqual(expected);
  });

  it.each([
    ['what the user said', 399, 3, 599],
    ['an output', 799, 5, 499],
    ['an older output', 1300, 1, 600],
  ])('shows as much as fits of %s, and nothing after it', async (_what, room, index, most) => {
    const restored = await restoreMessages(shortened, room, count);
    expect([...restored.keys()].at(-1)).toBe(index);
    const message = restored.get(index);
    const size = message === undefined ? 0 : charactersOf(message);
    expect(size).toBeLessThanOrEqual(most);
    expect(size).toBeGreaterThan(most - 20);
  });

  it('restores an error before other outputs, and what a caller says matters most before all', async () => {
    const failed: Message = {
      role: 'tool',
      content: [{ ...result('1', ''), output: { type: 'error-text', value: 'e'.repeat(500) } }],
    };
    const error: Shortened = { index: 2, full: failed, least: printed(100) };
    const all = [...shortened, error];
    const first = async (room: number, priority?: Priority): Promise<number[]> => [
      ...(await restoreMessages(all, room, count, priority)).keys(),
    ];
    expect((await first(800)).slice(0, 2)).toEqual([3, 2]);
    expect(await first(900, (message) => (message === older.full ? 9 : 0))).toEqual([1]);
  });

  it('shows no more of a text than the least form where twice of that does not fit', async () => {
    expect(await restoreMessages([said], 190, count)).toEqual(new Map());
  });

  it.each([
    ['three tokens are left', 3, 0],
    ['four tokens are left', 4, 1],
  ])('restores what lacks no more where %s', async (_what, lacking, restored) => {
    const little = { ...said, full: user('y'.repeat(200 + lacking)) };
    expect((await restoreMessages([little], lacking, count)).size).toBe(restored);
  });

  it('takes the largest that fits exactly, to within eight characters', async () => {
    const text = { ...said, full: user('y'.repeat(464)) };
    const exact = shrinkMessage(text.full, 432, { jsonText: () => '' });
    let counted = 0;
    const counting = async (message: Message): Promise<number> => {
      counted += 1;
      return charactersOf(message);
    };
    const restored = await restoreMessages([text], charactersOf(exact) - 200, counting);
    expect(restored.get(3)).toEqual(exact);
    // Both forms, and 432, 448 and 440 characters.
    expect(counted).toBe(5);
  });
});
