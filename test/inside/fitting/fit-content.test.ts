import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SummaryContent } from '../../../src/index.ts';
import { fitContent, type FitContentOptions } from '../../../src/fitting/fit-content.ts';
import { content } from '../../strategies/llm/fixtures.ts';

/** Words as tokens, and five for what stands around them. */
function count(given: SummaryContent): number {
  return (
    5 +
    JSON.stringify(shown(given))
      .split(/[\s",[\]{}:]+/)
      .filter(Boolean).length
  );
}

/** What of a content stands in a prompt, origins aside. */
function shown({ summary, keyPoints, context }: SummaryContent): SummaryContent {
  const { unshownConstraints = [], ...others } = context;
  const lists = { replacedConstraints: [], userWords: [], ...others };
  const constraints = lists.constraints.filter((_, index) => !unshownConstraints.includes(index));
  return { summary, keyPoints, context: { ...lists, constraints } };
}

function options(maxTokens: number, counted: (given: SummaryContent) => number): FitContentOptions {
  return {
    maxTokens,
    count: (given) => Promise.resolve(counted(given)),
  };
}

function narrativeLength({ summary }: SummaryContent): number {
  return summary.length;
}

const texts = fc.array(fc.lorem({ maxCount: 8, mode: 'words' }), { maxLength: 12 });
const contents: fc.Arbitrary<SummaryContent> = fc.record({
  summary: fc.lorem({ maxCount: 12, mode: 'sentences' }),
  keyPoints: texts,
  context: fc.record({
    participants: texts,
    decisions: texts,
    actionItems: fc.array(
      fc.record({ owner: fc.constantFrom('Ann', undefined), task: fc.lorem({ maxCount: 6 }) }),
      { maxLength: 8 },
    ),
    unresolved: texts,
    domainEntities: texts,
    constraints: texts,
  }),
});

const empty = count(content({ summary: '' }));

describe('fitContent', () => {
  it('never exceeds the budget, invents nothing, and gives the same result again', async () => {
    await fc.assert(
      fc.asyncProperty(contents, fc.integer({ min: 0, max: 300 }), async (given, max) => {
        let counts = 0;
        const counted = (candidate: SummaryContent): number => {
          counts += 1;
          return count(candidate);
        };
        const fitted = await fitContent(given, options(max, counted));
        expect(count(fitted)).toBeLessThanOrEqual(Math.max(max, empty));
        expect(counts).toBeLessThan(60);
        expect(await fitContent(given, options(max, count))).toEqual(fitted);
        expect(given.summary.startsWith(fitted.summary.replace(/…$/, ''))).toBe(true);
        expect(fitted.context.constraints).toEqual(given.context.constraints);
        for (const field of ['decisions', 'domainEntities'] as const) {
          const kept = fitted.context[field];
          expect(
            given.context[field].filter((item) => kept.includes(item)).length,
          ).toBeGreaterThanOrEqual(kept.length);
        }
      }),
    );
  });

  it.each([
    ['a narrative that can never fit', 'x'.repeat(161), 'x'.repeat(160)],
    ['half a character', `${'x'.repeat(159)}😀`, `${'x'.repeat(159)}\uFFFD`],
  ])('cuts %s before it counts', async (_what, long, cut) => {
    const seen: string[] = [];
    // Ten tokens, and sixteen characters for each.
    await fitContent(
      content({ summary: long }),
      options(10, ({ summary }) => seen.push(summary) && 0),
    );
    expect(seen[0]).toBe(cut);
  });

  it.each([
    ['there is room', 100],
    ['it takes exactly the room', 0],
  ])('returns the same object when %s', async (_name, spare) => {
    const given = content({ keyPoints: ['a'] });
    expect(await fitContent(given, options(count(given) + spare, count))).toBe(given);
  });

  it('leaves out whole lines of the minutes, the oldest first', async () => {
    const given = { ...content(), minutes: 'one\ntwo\nthree' };
    const fitted = await fitContent(
      given,
      options(9, ({ minutes = '' }) => minutes.length),
    );
    expect(fitted).toEqual({ ...given, minutes: 'two\nthree' });
  });

  it('gives the narrative exactly the room that the items leave of it', async () => {
    const sentence = 'Of words it has five.';
    const given = content({
      summary: Array(6).fill(sentence).join(' '),
      context: { constraints: ['never ever do that'] },
    });
    const fitted = await fitContent(given, options(empty + 14, count));
    expect(fitted.summary).toBe(`${sentence} ${sentence}`);
    expect(fitted.context.constraints).toEqual(['never ever do that']);
  });

  it('drops facts before decisions before constraints', async () => {
    const given = content({
      summary: 'Short.',
      keyPoints: ['one two three four'],
      context: { decisions: ['five six seven eight'], constraints: ['never ever do that'] },
    });
    const whole = count(given);
    const less = await fitContent(given, options(whole - 1, count));
    expect([
      less.keyPoints.length,
      less.context.decisions.length,
      less.context.constraints.length,
    ]).toEqual([0, 1, 1]);
    const least = await fitContent(given, options(whole - 5, count));
    expect([
      least.keyPoints.length,
      least.context.decisions.length,
      least.context.constraints.length,
    ]).toEqual([0, 0, 1]);
    expect(least.summary).toBe('Short.');
  });

  it('leaves the longest rules out of the prompt, of equal ones the oldest, and none out of the record', async () => {
    const short = Array.from({ length: 40 }, (_, index) => `never do ${index + 10}`);
    const constraints = ['never do any of what was said in the remark', ...short];
    const given = content({ summary: 'Short.', keyPoints: ['alpha'], context: { constraints } });
    const { context, keyPoints } = await fitContent(given, options(empty + 60, count));
    expect(context.constraints).toEqual(constraints);
    expect(context.unshownConstraints).toEqual([...Array(34).keys()]);
    expect(keyPoints).toEqual(['alpha']);
    const last = { ...given, context: { ...given.context, constraints: constraints.toReversed() } };
    const fitted = await fitContent(last, options(empty + 60, count));
    expect(fitted.context.unshownConstraints).toEqual([...Array(33).keys(), 40]);
  });

  it("gives up the user's words before rules, the oldest first, the first message last", async () => {
    const given = content({
      summary: 'Short.',
      context: {
        decisions: ['five six seven eight'],
        constraints: ['never'],
        userWords: ['move the tests', 'read all files', 'write the report'],
      },
    });
    const fitted = async (tokens: number): Promise<SummaryContent['context']> =>
      (await fitContent(given, options(empty + tokens, count))).context;
    const words = async (tokens: number): Promise<readonly string[] | undefined> =>
      (await fitted(tokens)).userWords;
    expect((await fitted(13)).decisions).toEqual([]);
    expect(await words(13)).toEqual(['move the tests', 'read all files', 'write the report']);
    expect(await words(10)).toEqual(['move the tests', 'write the report']);
    expect(await words(7)).toEqual(['move the tests']);
    expect(await words(4)).toEqual([]);
    expect(await fitted(4)).not.toHaveProperty('unshownConstraints');
  });

  it('leaves out one name where that is enough, however many there are', async () => {
    const domainEntities = Array.from({ length: 20 }, (_, index) => `src/part-${index}.ts`);
    const given = content({ summary: 'Short.', context: { domainEntities } });
    const fitted = await fitContent(given, options(count(given) - 1, count));
    expect(fitted.context.domainEntities).toHaveLength(19);
  });

  it('drops the oldest of a list first, and of key points the last', async () => {
    const given = content({
      summary: 'Short.',
      keyPoints: ['alpha', 'bravo', 'charlie'],
      context: { unresolved: ['delta', 'echo', 'foxtrot'] },
    });
    const fitted = await fitContent(given, options(count(given) - 2, count));
    expect(fitted.keyPoints).toEqual(['alpha', 'bravo']);
    expect(fitted.context.unresolved).toEqual(['echo', 'foxtrot']);
  });

  it('cuts a narrative that takes more than half of the room before any rule of the user goes', async () => {
    const given = content({
      summary: 'A sentence of exactly seven words here. '.repeat(10).trim(),
      context: { constraints: ['never ever do that'] },
    });
    const fitted = await fitContent(given, options(empty + 30, count));
    expect(fitted.context.constraints).toEqual(['never ever do that']);
    expect(fitted.summary).toMatch(/^(A sentence of exactly seven words here\. ?)+$/);
  });

  it('cuts inside the first sentence when not even that fits', async () => {
    const given = content({ summary: 'one two three four five six seven eight nine ten' });
    const fitted = await fitContent(given, options(empty + 4, count));
    expect(fitted.summary).toMatch(/^one two three.*…$/);
  });

  it('cuts at sentence ends of languages without spaces', async () => {
    const given = content({ summary: '最初に設計した。次に実装した。最後に試験した。' });
    expect((await fitContent(given, options(16, narrativeLength))).summary).toBe(
      '最初に設計した。次に実装した。',
    );
  });
});
