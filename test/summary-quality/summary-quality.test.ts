import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { loadConversations } from './load-conversations.ts';
import {
  foreignSummarizers,
  scoreForeignTexts,
  scoreRecords,
  type Scores,
  type Share,
  type Summarizer,
} from './score-records.ts';

const scores = new Map<Summarizer, Promise<Scores>>();

function scoresOf(summarizer: Summarizer): Promise<Scores> {
  const known = scores.get(summarizer) ?? scoreRecords(library, summarizer);
  scores.set(summarizer, known);
  return known;
}

// What counts against a share stands in it, so that a failure shows it.
function isAtLeast(least: number): (share: Share) => boolean {
  return ({ count, of }) => count / of >= least;
}

function isAtMost(most: number): (share: Share) => boolean {
  return ({ count, of }) => count / of <= most;
}

describe('a record of 600 tokens', () => {
  it('is measured on conversations in many languages, each with rules that end', () => {
    const conversations = loadConversations();
    expect(conversations.length).toBeGreaterThanOrEqual(44);
    expect(new Set(conversations.map(({ language }) => language)).size).toBeGreaterThanOrEqual(12);
    expect(conversations.filter(({ ended }) => ended.length > 0).length).toBeGreaterThanOrEqual(40);
  });

  it.each<readonly [string, Summarizer, keyof Scores, (share: Share) => boolean]>([
    ['holds as rules those that are named', 'good', 'standing', isAtLeast(0.97)],
    ['holds as rules none that has ended', 'good', 'endedStanding', isAtMost(0.06)],
    ['holds as rules no joke, sign or text to be written', 'good', 'lookalikes', isAtMost(0.05)],
    ['holds the values that are named', 'good', 'facts', isAtLeast(0.98)],
    // Beside what a model wrote, however little, quotes of the user have a little less room than without one.
    ...(
      [
        ['lazy', 0.95, 0.78],
        ['none', 0.97, 0.8],
      ] as const
    ).flatMap(([summarizer, anywhere, facts]) => [
      ['holds the rules of the user', summarizer, 'anywhere', isAtLeast(anywhere)] as const,
      ['shows none as in force that has ended', summarizer, 'inForce', isAtMost(0.02)] as const,
      ['holds most values', summarizer, 'facts', isAtLeast(facts)] as const,
    ]),
    // A small count, or a figure that stands elsewhere for something else, is no doubt.
    ['marks values that no message says', 'wrong', 'unmarked', isAtMost(0.08)],
  ])('%s, with the summarizer %s', async (_what, summarizer, score, holds) => {
    expect((await scoresOf(summarizer))[score]).toSatisfy(holds);
  });

  it.each(foreignSummarizers)('makes no rule of a text of others, %s', async (summarizer) => {
    expect(await scoreForeignTexts(library, summarizer)).toSatisfy(isAtMost(0));
  });
});
