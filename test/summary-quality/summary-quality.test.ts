import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { loadConversations } from './load-conversations.ts';
import { newTally, scoreRecord, scoreRecords, type Share } from './score-records.ts';

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

  it('holds as rules none that has ended, and the values that a good summariser names', async () => {
    const { endedStanding, facts } = await scoreRecords(library, 'good');
    expect(endedStanding).toSatisfy(isAtMost(0.06));
    expect(facts).toSatisfy(isAtLeast(0.98));
  });
});
