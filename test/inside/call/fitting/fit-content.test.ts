import { describe, expect, it } from 'vitest';
import { fitContent } from '../../../../src/call/fitting/fit-content.ts';
import type { SummaryContent } from '../../../../src/index.ts';
import { content } from '../../../strategies/llm/fixtures.ts';

/** Words as tokens, and five for what stands around them; of what stands in a prompt, origins aside. */
function count({ summary, keyPoints, context }: SummaryContent): number {
  const { unshownConstraints = [], ...others } = context;
  const lists = { endedConstraints: [], userQuotes: [], ...others };
  const constraints = lists.constraints.filter((_, index) => !unshownConstraints.includes(index));
  const shown = JSON.stringify({ summary, keyPoints, context: { ...lists, constraints } });
  return 5 + shown.split(/[\s",[\]{}:]+/).filter(Boolean).length;
}

const fitted = async (
  given: SummaryContent,
  maxTokens: number,
  counted: (content: SummaryContent) => number = count,
): Promise<SummaryContent> =>
  fitContent(given, { maxTokens, count: async (each) => counted(each) });

/** What a content without anything but a narrative takes. */
const empty = count(content({ summary: '' }));
const never = 'never ever do that';
const five = 'Of words it has five.';
const seven = 'A sentence of exactly seven words here. ';
const short = { summary: 'Short.' };
const ruled = { constraints: [never] };
const decided = { decisions: ['five six seven eight'], ...ruled };
const chosen = content({ ...short, keyPoints: ['one two three four'], context: decided });
const named = content({
  ...short,
  keyPoints: ['one two'],
  context: { domainEntities: ['Ostrich'], ...decided },
});
const open = { unresolved: ['delta', 'echo', 'foxtrot'] };
const listed = content({ ...short, keyPoints: ['alpha', 'bravo', 'charlie'], context: open });
const sentences = content({ summary: Array(6).fill(five).join(' '), context: ruled });
const long = content({ summary: seven.repeat(10).trim(), context: ruled });

describe('fitContent', () => {
  it('never exceeds a budget, invents nothing, and gives the same result again', async () => {
    for (const given of [chosen, listed, sentences, long])
      for (let most = 0; most <= count(given) + 1; most += 1) {
        let counts = 0;
        const made = await fitted(given, most, (candidate) => (counts += 1) && count(candidate));
        expect(count(made)).toBeLessThanOrEqual(Math.max(most, empty));
        expect(counts).toBeLessThan(60);
        expect(await fitted(given, most)).toEqual(made);
        expect(made === given).toBe(most >= count(given));
        const [head = '', tail = ''] = made.summary.split(/ ?… ?/);
        expect(given.summary.startsWith(head)).toBe(true);
        expect(given.summary.endsWith(tail)).toBe(true);
        expect(made.context.constraints).toEqual(given.context.constraints);
        expect(given.context.decisions).toEqual(
          expect.arrayContaining([...made.context.decisions]),
        );
      }
  });

  it.each<[string, SummaryContent, number, object]>([
    [
      'names first',
      named,
      count(named) - 1,
      { keyPoints: ['one two'], context: { domainEntities: [], ...decided }, ...short },
    ],
    [
      'lists next',
      named,
      count(named) - 7,
      { keyPoints: [], context: { decisions: [], ...ruled }, ...short },
    ],
    [
      'the ends of lists',
      listed,
      count(listed) - 2,
      { keyPoints: ['alpha', 'bravo'], context: { unresolved: ['delta', 'echo'] } },
    ],
    [
      'the middle of a narrative, never its end',
      sentences,
      empty + 14,
      { summary: `… ${five}`, context: ruled },
    ],
    [
      'what no rule leaves room for',
      long,
      empty + 30,
      {
        summary: expect.stringMatching(/^A sentence of [a-z ]+\. …( A sentence of [a-z ]+\.)+$/),
        context: ruled,
      },
    ],
  ])('leaves out %s', async (_what, given, maxTokens, expected) => {
    expect(await fitted(given, maxTokens)).toMatchObject(expected);
  });

  it('leaves the oldest rules out of the prompt last, and none out of the record', async () => {
    const constraints = Array.from({ length: 40 }, (_, index) => `never do ${index + 10}`);
    const given = content({ ...short, keyPoints: ['alpha'], context: { constraints } });
    const { context, keyPoints } = await fitted(given, empty + 60);
    expect([context.constraints, keyPoints]).toEqual([constraints, []]);
    expect(context.unshownConstraints).toEqual([...Array(20).keys()]);
  });

  it("gives up the user's words before lists, the first and the newest last", async () => {
    const userQuotes = ['move the tests', 'read all files', 'write the report'];
    const decisions = ['five six seven eight'];
    const context = { decisions, constraints: ['never'], userQuotes };
    const given = content({ ...short, context });
    const after = async (tokens: number): Promise<SummaryContent['context']> =>
      (await fitted(given, empty + tokens)).context;
    expect(await after(13)).toMatchObject({
      decisions,
      userQuotes: ['move the tests', 'write the report'],
    });
    expect(await after(7)).toMatchObject({ decisions, userQuotes: [] });
    expect(await after(4)).toMatchObject({ decisions: [], userQuotes: [] });
    expect(await after(4)).not.toHaveProperty('unshownConstraints');
  });

  it.each([
    ['a narrative that can never fit', 'x'.repeat(161), `${'x'.repeat(80)} … ${'x'.repeat(80)}`],
    [
      'half a character',
      `${'x'.repeat(79)}😀${'x'.repeat(80)}`,
      `${'x'.repeat(79)}\uFFFD … ${'x'.repeat(80)}`,
    ],
  ])('cuts %s before it counts', async (_what, summary, cut) => {
    const seen: string[] = [];
    // Ten tokens, and sixteen characters for each.
    const result = await fitted(content({ summary }), 10, (each) => seen.push(each.summary) && 0);
    expect(result.summary).toBe(cut);
    expect(seen.filter((each) => each.length > cut.length)).toEqual([]);
  });

  it.each([
    ['one sentence', 'The code of the gate is 4417 and opens at nine.', 8],
    ['one in a language without spaces', '入口の暗証番号は四四一七で午前九時に開く', 12],
  ])('cuts a narrative of %s within it', async (_what, summary, most) => {
    const wordCount = ({ summary: narrative }: SummaryContent): number =>
      [...new Intl.Segmenter('en', { granularity: 'word' }).segment(narrative)].filter(
        ({ isWordLike }) => isWordLike,
      ).length;
    const { summary: narrative } = await fitted(content({ summary }), most, wordCount);
    expect(wordCount(content({ summary: narrative }))).toBeGreaterThan(most / 2);
    expect(narrative).toContain(' … ');
  });

  it('cuts at sentence ends of languages without spaces', async () => {
    const given = content({ summary: '最初に設計した。次に実装した。最後に試験した。' });
    const made = await fitted(given, 16, ({ summary }) => summary.length);
    expect(made.summary).toBe('… 最後に試験した。');
  });
});
