import { describe, expect, it } from 'vitest';
import {
  createTextCounter,
  type TextEncoding,
} from '../../../../src/tokens/text/create-text-counter.ts';

function recordingEncoding(): TextEncoding & { pieces: string[]; cleared: number } {
  const encoding = {
    pieces: [] as string[],
    cleared: 0,
    countTokens: (text: string) => {
      encoding.pieces.push(text);
      return 1;
    },
    clearMergeCache: () => {
      encoding.cleared += 1;
      encoding.pieces.length = 0;
    },
  };
  return encoding;
}

describe('createTextCounter', () => {
  it.each([
    ['one letter', 'a'],
    ['spaces', ' '],
    ['unspaced Chinese', '漢'],
    ['emoji', '😀'],
    ['lone surrogates', '\udfff'],
  ])('passes each character of 1 MB of %s once, in small pieces', (_, unit) => {
    const encoding = recordingEncoding();
    createTextCounter(encoding).count(unit.repeat(1_000_000 / unit.length));
    const characters = encoding.pieces.reduce((sum, piece) => sum + piece.length, 0);
    expect(characters).toBe(1_000_000);
    expect(Math.max(...encoding.pieces.map((piece) => piece.length))).toBeLessThanOrEqual(256);
  });

  it('adds up the pieces', () => {
    expect(createTextCounter(recordingEncoding()).count('a'.repeat(128 * 3))).toBe(3);
  });

  it('forgets all texts once the task is over, however many were counted', async () => {
    const encoding = recordingEncoding();
    const counter = createTextCounter(encoding);
    counter.count('one');
    counter.count('two');
    expect(encoding.pieces).toEqual(['one', 'two']);
    await Promise.resolve();
    expect(encoding).toMatchObject({ pieces: [], cleared: 1 });
    counter.count('three');
    await Promise.resolve();
    expect(encoding).toMatchObject({ pieces: [], cleared: 2 });
  });

  it('remembers texts between tasks while somebody holds it, and forgets them with the last', async () => {
    const encoding = recordingEncoding();
    const counter = createTextCounter(encoding);
    const release = counter.hold();
    const releaseOther = counter.hold();
    counter.count('one');
    await new Promise((resolve) => setTimeout(resolve, 0));
    counter.count('two');
    releaseOther();
    expect(encoding).toMatchObject({ pieces: ['one', 'two'], cleared: 0 });
    release();
    expect(encoding).toMatchObject({ pieces: [], cleared: 1 });
    counter.hold()();
    expect(encoding.cleared).toBe(1);
  });

  it('does not remember more than two million characters, held or not', () => {
    const encoding = recordingEncoding();
    const counter = createTextCounter(encoding);
    const release = counter.hold();
    counter.count('word '.repeat(300_000));
    expect(encoding.cleared).toBe(0);
    counter.count('word '.repeat(300_000));
    expect(encoding.cleared).toBe(1);
    release();
  });

  it('does not touch the tokenizer for an empty text', async () => {
    const encoding = recordingEncoding();
    expect(createTextCounter(encoding).count('')).toBe(0);
    await Promise.resolve();
    expect(encoding.cleared).toBe(0);
  });
});
