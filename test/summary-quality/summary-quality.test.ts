import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { loadConversations } from './load-conversations.ts';
import {
  foreignSummarizers,
  newTally,
  scoreForeignTexts,
  scoreRecord,
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

  it('is measured as whole where it says all that holds, and as empty where it says nothing', () => {
    const whole = newTally();
    const empty = newTally();
    for (const conversation of loadConversations()) {
      const constraints = conversation.rules.map(({ words, as = words }) => as);
      const values = conversation.facts.map(({ as }) => as);
      const text = JSON.stringify([...constraints, ...values]);
      scoreRecord(whole, conversation, { constraints, text }, 'good');
      scoreRecord(empty, conversation, { constraints: [], text: '{}' }, 'none');
    }
    const of = whole.standing.of;
    expect(whole).toMatchObject({
      standing: { count: of },
      anywhere: { count: of },
      endedStanding: { count: 0 },
      lookalikes: { count: 0 },
      facts: { examples: [] },
    });
    expect(empty).toMatchObject({
      standing: { count: 0 },
      anywhere: { count: 0 },
      facts: { count: 0 },
    });
  });

  it('holds as rules those that a good summariser names', async () => {
    expect((await scoresOf('good')).standing).toSatisfy(isAtLeast(0.97));
  });

  it('holds as rules none that has ended', async () => {
    expect((await scoresOf('good')).endedStanding).toSatisfy(isAtMost(0.06));
  });

  it('holds as rules no joke, sign or text to be written', async () => {
    expect((await scoresOf('good')).lookalikes).toSatisfy(isAtMost(0.05));
  });

  it('holds the values that a good summariser names', async () => {
    expect((await scoresOf('good')).facts).toSatisfy(isAtLeast(0.98));
  });

  it.each(['lazy', 'none'] as const)('holds the rules of the user with %s', async (summarizer) => {
    expect((await scoresOf(summarizer)).anywhere).toSatisfy(isAtLeast(0.97));
  });

  it.each(['lazy', 'none'] as const)(
    'shows no rule as in force that has ended, with %s',
    async (summarizer) => {
      expect((await scoresOf(summarizer)).inForce).toSatisfy(isAtMost(0.1));
    },
  );

  it.each(['lazy', 'none'] as const)('holds most values with %s', async (summarizer) => {
    expect((await scoresOf(summarizer)).facts).toSatisfy(isAtLeast(0.8));
  });

  it('marks every value that no message says', async () => {
    expect((await scoresOf('wrong')).unmarked).toSatisfy(isAtMost(0));
  });

  it.each(foreignSummarizers)('makes no rule of a text of others, %s', async (summarizer) => {
    expect(await scoreForeignTexts(library, summarizer)).toSatisfy(isAtMost(0));
  });
});
