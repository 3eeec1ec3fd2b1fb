import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import type { TextCounter } from '../../../src/tokens/text/create-text-counter.ts';
import { loadTextCounter } from '../../../src/tokens/text/load-text-counter.ts';
import { messageCounterOf, type MessageCounter } from '../../../src/tokens/message-counter.ts';
import { boundedMap, type BoundedMap } from '../../../src/util/maps/bounded-map.ts';
import { maxPieceLength, textPieces } from '../../../src/tokens/text/text-pieces.ts';

let counter: TextCounter;
beforeAll(async () => {
  counter = await loadTextCounter();
});

function fresh(texts: TextCounter = counter, counts?: BoundedMap<number>): MessageCounter {
  return messageCounterOf(texts, 'openai', counts ?? boundedMap(1024));
}

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function call(input: unknown): Message {
  return {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input }],
  };
}

const messages = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }).map(user),
  fc.jsonValue().map(call),
);
const prose = 'A river of stone and paper. ';

describe('messageCounterOf', () => {
  it('gives the same count at once, in slices, remembered and in other objects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(messages, { maxLength: 8 }), async (prompt) => {
        const counts = boundedMap<number>(1024);
        const inSlices = fresh(counter, counts);
        await inSlices.countAll(prompt);
        const held = counts.size();
        for (const message of prompt) {
          const exact = fresh().count(message);
          expect(inSlices.count(message)).toBe(exact);
          expect(fresh(counter, counts).count(structuredClone(message))).toBe(exact);
        }
        expect(counts.size()).toBe(held);
      }),
    );
  });

  it.each([
    ['another text', user('a longer one')],
    ['another input', call({ path: 'b' })],
    ['another order of keys', call({ b: 1, a: 2 })],
  ])('does not take %s for what it knows', (_, other) => {
    const counts = boundedMap<number>(1024);
    const counted = fresh(counter, counts);
    counted.count(user('a'));
    counted.count(call({ path: 'a' }));
    counted.count(call({ a: 2, b: 1 }));
    counted.count(other);
    expect(counts.size()).toBe(4);
  });

  it('rests between slices, however long one text is', async () => {
    let rests = 0;
    let longest = 0;
    // A tokenizer that takes 5 ms of a clock for each piece.
    const slow = fresh({
      isExact: true,
      hold: () => () => {},
      count: (text) => {
        longest = Math.max(longest, text.length);
        const until = performance.now() + 5;
        while (performance.now() < until);
        return 1;
      },
    });
    const rest = async (): Promise<void> => {
      rests += 1;
      return Promise.resolve();
    };
    await slow.countAll([user(prose.repeat(1500))], { rest });
    expect(longest).toBeLessThanOrEqual(maxPieceLength);
    expect(rests).toBeGreaterThanOrEqual(4);
  });

  it('rejects with the reason of an abort in the middle of a count', async () => {
    const controller = new AbortController();
    const counts = boundedMap<number>(1024);
    const texts: TextCounter = {
      isExact: true,
      hold: () => () => {},
      count: () => {
        const until = performance.now() + 9;
        while (performance.now() < until);
        return 1;
      },
    };
    const slow = fresh(texts, counts);
    const rest = async (): Promise<void> => {
      controller.abort(new Error('enough'));
      return Promise.resolve();
    };
    const { signal: abortSignal } = controller;
    const long = user(prose.repeat(3000));
    await expect(slow.countAll([long], { abortSignal, rest })).rejects.toThrow('enough');
    expect(counts.size()).toBe(0);
  });
});

describe('textPieces', () => {
  it('gives back the text, in pieces that are short and whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(9000), (unit, times) => {
        const text = unit.repeat(times).slice(0, 20_000);
        const pieces = [...textPieces(text)];
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(maxPieceLength);
      }),
    );
  });
});
