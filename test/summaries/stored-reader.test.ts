import { describe, expect, it } from 'vitest';
import { storedReader } from '../../src/summaries/stored-reader.ts';
import { untyped } from '../support/untyped.ts';
import { recordBefore } from './record-requests.ts';

const index = JSON.stringify([{ count: 2, length: 9, digest: 'a' }]);
const otherIndex = JSON.stringify([{ count: 4, length: 9, digest: 'b' }]);
const last = { depth: 0, messageCount: 2, tokenRatio: 0.5 };

async function summary(more: object = {}): Promise<string> {
  return JSON.stringify({ record: await recordBefore(), lastSummarization: last, ...more });
}

describe('storedReader', () => {
  it('parses a value once while it does not change', async () => {
    const reader = storedReader();
    expect(reader.index('k', index)).toBe(reader.index('k', index));
    const stored = await reader.summary('k', await summary());
    expect(stored?.record.summary).toBe('Before.');
    expect(await reader.summary('k', await summary())).toBe(stored);
  });

  it('reads a value that has changed, and another key', () => {
    const reader = storedReader();
    expect(reader.index('k', index)[0]?.digest).toBe('a');
    expect(reader.index('k', otherIndex)[0]?.digest).toBe('b');
    expect(reader.index('other', index)[0]?.digest).toBe('a');
    expect(reader.index('k', otherIndex)[0]?.digest).toBe('b');
  });

  it.each([undefined, null, 7, {}])('takes %s for nothing, also after something', async (value) => {
    const reader = storedReader();
    const nothing = untyped<undefined>(value);
    expect(reader.index('k', nothing)).toEqual([]);
    expect(await reader.summary('k', nothing)).toBeUndefined();
    const known = reader.index('k', index);
    await reader.summary('k', await summary());
    expect(reader.index('k', nothing)).toEqual([]);
    expect(await reader.summary('k', nothing)).toBeUndefined();
    expect(reader.index('k', index)).toEqual(known);
    expect(reader.index('k', index)).not.toBe(known);
  });

  it('forgets what was not asked for longest beyond 16 MiB', () => {
    const reader = storedReader();
    const large = `${index}${' '.repeat(3 * 1024 * 1024)}`;
    const known = reader.index('0', large);
    reader.index('1', large);
    expect(reader.index('0', large)).toBe(known);
    reader.index('2', large);
    expect(reader.index('0', large)).toBe(known);
    const lost = reader.index('1', large);
    expect(lost).not.toBe(reader.index('2', large));
    expect(lost).toEqual(known);
  });
});

describe('a stored summary', () => {
  it.each([
    ['with a tree id', { treeId: '/a' }, '/a'],
    ['without', {}, undefined],
  ])('is read %s', async (_name, more, treeId) => {
    const read = await storedReader().summary('k', await summary(more));
    expect(read).toMatchObject({ lastSummarization: last, record: { summary: 'Before.' } });
    expect(read?.treeId).toBe(treeId);
  });

  it.each([
    ['without a record', { record: undefined }],
    ['with a record of another version', { record: { version: 2 } }],
    ['without figures of the prompt', { lastSummarization: undefined }],
    ['with a negative depth', { lastSummarization: { ...last, depth: -1 } }],
    ['with half a message', { lastSummarization: { ...last, messageCount: 1.5 } }],
    ['with fewer messages than none', { lastSummarization: { ...last, messageCount: -1 } }],
    ['with a negative ratio', { lastSummarization: { ...last, tokenRatio: -0.1 } }],
    ['with an empty tree id', { treeId: '' }],
    ['with a tree id that is no text', { treeId: 7 }],
  ])('is a miss %s', async (_name, more) => {
    expect(await storedReader().summary('k', await summary(more))).toBeUndefined();
  });

  it('is a miss where it is no JSON', async () => {
    expect(await storedReader().summary('k', '{"record":')).toBeUndefined();
  });

  it('has no invisible characters in what is applied', async () => {
    const record = await recordBefore({ summary: 'Be\u200Bfore.', keyPoints: ['\u00AD'] });
    const read = await storedReader().summary('k', await summary({ record }));
    expect(read?.record).toMatchObject({ summary: 'Before.', keyPoints: [] });
  });
});
