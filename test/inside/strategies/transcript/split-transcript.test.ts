import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTranscript } from './fixtures.ts';
import type { TranscriptPart } from '../../../../src/strategies/messages/read-messages.ts';
import {
  renderTranscript,
  sizeParts,
  splitTranscript,
} from '../../../../src/strategies/transcript/read-transcript.ts';
import { loadTextCounter } from '../../../../src/tokens/text-counter.ts';
import { assistant, toolCall, user } from '../../../strategies/llm/fixtures.ts';

const { count } = await loadTextCounter();

async function allPieces(
  parts: readonly TranscriptPart[],
  maxTokens: number,
): Promise<readonly TranscriptPart[][]> {
  const pieces: TranscriptPart[][] = [];
  for (let rest = await sizeParts(parts); rest.length > 0;) {
    const next = await splitTranscript(rest, maxTokens);
    expect(next.piece.length).toBeGreaterThan(0);
    pieces.push(next.piece.map(({ part }) => part));
    rest = next.rest;
  }
  return pieces;
}

function textByMessage(parts: readonly TranscriptPart[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const { index, text } of parts) texts.set(index, (texts.get(index) ?? '') + text);
  return texts;
}

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
        fc.integer({ min: 70, max: 400 }),
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
    expect(await splitTranscript([], 100)).toEqual({ piece: [], rest: [] });
  });

  it('cuts a part where much of a piece would stay empty, so that there are no more than it takes', async () => {
    const parts = await buildTranscript(
      Array.from({ length: 10 }, () => user('All work and no play. '.repeat(100))),
    );
    const whole = (await sizeParts(parts)).reduce((sum, { tokens }) => sum + tokens, 0);
    const pieces = await allPieces(parts, 1000);
    expect(pieces.length).toBe(Math.ceil((1.05 * whole) / 1000));
    expect(textByMessage(pieces.flat())).toEqual(textByMessage(parts));
  });
});
