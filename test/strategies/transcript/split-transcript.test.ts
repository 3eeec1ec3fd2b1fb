import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTranscript } from '../../../src/strategies/transcript/render-transcript.ts';
import { buildTranscript } from './fixtures.ts';
import type { TranscriptPart } from '../../../src/strategies/messages/transcript-parts.ts';
import { overlapOf, splitTranscript } from '../../../src/strategies/transcript/split-transcript.ts';
import { loadTextCounter } from '../../../src/tokens/text/load-text-counter.ts';
import { assistant, toolCall, user } from '../llm/fixtures.ts';

const { count } = await loadTextCounter();

function sizeOf(text: string): Promise<number> {
  return Promise.resolve(count(text));
}

async function allPieces(
  parts: readonly TranscriptPart[],
  maxTokens: number,
): Promise<readonly TranscriptPart[][]> {
  const pieces: TranscriptPart[][] = [];
  for (let rest = parts; rest.length > 0;) {
    const next = await splitTranscript(rest, maxTokens, sizeOf);
    expect(next.piece.length).toBeGreaterThan(0);
    pieces.push([...next.piece]);
    rest = next.rest;
  }
  return pieces;
}

/** Characters that splitting a text of a token a character counts. */
async function charactersCounted(length: number): Promise<number> {
  let counted = 0;
  let rest: readonly TranscriptPart[] = [
    { index: 0, role: 'user', kind: 'text', text: '\u7cfb'.repeat(length) },
  ];
  while (rest.length > 0) {
    const next = await splitTranscript(rest, 1000, async (text, most = Infinity) => {
      counted += Math.min(text.length, most + 1);
      return text.length;
    });
    ({ rest } = next);
  }
  return counted;
}

function textByMessage(parts: readonly TranscriptPart[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const { index, text } of parts) texts.set(index, (texts.get(index) ?? '') + text);
  return texts;
}

it('counts a text of a token a character a few times only', async () => {
  expect((await charactersCounted(100_000)) / 100_000).toBeLessThan(2);
});

it('counts little more of a text of two tokens a character than it repeats', async () => {
  let counted = 0;
  const text = '\u7cfb'.repeat(3000);
  const overlap = await overlapOf(
    [{ index: 0, role: 'user', kind: 'text', text }],
    200,
    async (content, most = Infinity) => {
      counted += Math.min(content.length, most + 1);
      return 2 * content.length;
    },
  );
  expect(overlap[0]?.text.length).toBeGreaterThan(20);
  expect(counted).toBeLessThan(1200);
});

const anyText = fc.oneof(
  fc.string({ maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.lorem({ maxCount: 200 }),
  fc.constant('好'.repeat(500)),
  fc.constant('🙂'.repeat(300)),
);

describe('splitTranscript', () => {
  it('keeps every piece within the budget and drops nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), anyText), { maxLength: 12 }),
        fc.integer({ min: 64, max: 400 }),
        async (texts, maxTokens) => {
          const parts = await buildTranscript(
            texts.map(([isUser, text]) => (isUser ? user(text) : assistant(text))),
          );
          const pieces = await allPieces(parts, maxTokens);
          for (const piece of pieces) {
            expect(count(renderTranscript(piece))).toBeLessThanOrEqual(maxTokens);
          }
          expect(textByMessage(pieces.flat())).toEqual(textByMessage(parts));
        },
      ),
    );
  });

  it('reads one message that is larger than a piece in several', async () => {
    const words = Array.from({ length: 3000 }, (_, index) => `word${index}`);
    const pieces = await allPieces(await buildTranscript([user(words.join(' '))]), 500);
    expect(pieces.length).toBeGreaterThan(5);
    for (const piece of pieces.slice(0, -1)) expect(piece[0]?.text).toMatch(/ $/);
  });

  it('splits the parallel calls of one message between pieces', async () => {
    const call = await buildTranscript([toolCall('t', 'word '.repeat(100))]);
    const parts = Array.from({ length: 6 }, () => call).flat();
    expect((await allPieces(parts, 250)).length).toBeGreaterThan(2);
  });

  it('makes progress even under a budget that fits nothing', async () => {
    const pieces = await allPieces(await buildTranscript([user('🙂🙂🙂 words')]), 1);
    expect(
      pieces
        .flat()
        .map(({ text }) => text)
        .join(''),
    ).toBe('🙂🙂🙂 words');
  });

  it('returns nothing of nothing', async () => {
    expect(await splitTranscript([], 100, sizeOf)).toEqual({ piece: [], rest: [] });
  });

  it('reads a megabyte without counting all of it for every piece', async () => {
    const parts = await buildTranscript([user('All work and no play. '.repeat(50_000))]);
    let counted = 0;
    const { piece } = await splitTranscript(parts, 1000, (text) => {
      counted += text.length;
      return sizeOf(text);
    });
    expect(count(renderTranscript(piece))).toBeLessThanOrEqual(1000);
    expect(counted).toBeLessThan(100_000);
  });
});
