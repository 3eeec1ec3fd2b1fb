import { cleanContent } from '../cleaning/clean-content.ts';
import { checkInput, checkThat } from '../checks/check-object.ts';
import type { Message, WrappedModel } from '../prompt/prompt-types.ts';
import { contentText } from '../record/content-text.ts';
import { summaryContentSchema } from '../record/record-schemas.ts';
import type { SummaryContent } from '../record/summary-record.ts';
import type { SummaryInput, SummaryStrategy } from '../strategies/summary-strategy.ts';
import { checksFor, expectSame, type ChecksOf, type StoreCheck } from './store-check.ts';
import {
  earlierRecord,
  earlierRule,
  everyShape,
  hostileTalk,
  inputFor,
  noModel,
  talkAbout,
} from './strategy-inputs.ts';

/** Options of {@link strategyChecks}. */
export interface StrategyChecksOptions {
  /**
   * The model whose conversation is summarised, for strategies that ask it.
   * @default one that fails
   */
  readonly model?: WrappedModel | undefined;
}

/**
 * What every {@link SummaryStrategy} has to do, as checks for any test runner. A strategy that asks models is
 * given scripted ones: it is asked some ten times.
 *
 * @param make - Makes a strategy, for each check one, or gives the same each time.
 * @throws {SummarizationOptionError} when an argument is wrong.
 *
 * @example
 * for (const { name, run } of strategyChecks(() => topics({ maxTopics: 3 }))) it(name, run);
 */
export function strategyChecks(
  make: () => SummaryStrategy | Promise<SummaryStrategy>,
  options: StrategyChecksOptions = {},
): readonly StoreCheck[] {
  checkThat(typeof make === 'function', 'make', make, 'a function');
  checkInput(options, 'model, or nothing');
  const { model = noModel } = options;
  const underTest = async (): Promise<StrategyUnderTest> => {
    const strategy = await make();
    return {
      strategy,
      model,
      summarized: async (messages, more = {}) =>
        usable(strategy, inputFor(messages, { model, ...more })),
    };
  };
  return checksFor(checks, underTest, () => '');
}

interface StrategyUnderTest {
  readonly strategy: SummaryStrategy;
  readonly model: WrappedModel;
  /** What it writes, if a record can hold it. */
  readonly summarized: (
    messages: readonly Message[],
    more?: Partial<SummaryInput>,
  ) => Promise<SummaryContent>;
}

const checks: ChecksOf<StrategyUnderTest> = {
  'has a name': async ({ strategy: { name } }) => {
    expectSame(typeof name === 'string' && name.trim() !== '', true, 'whether it has a name');
  },

  'writes content that a record can hold': async ({ summarized }) => {
    await summarized(talkAbout('pumps'));
  },

  'reads messages of every role and kind': async ({ summarized }) => {
    await summarized(everyShape);
  },

  'reads texts that could be taken for something else': async ({ summarized }) => {
    await summarized(hostileTalk);
  },

  'keeps the rules of the user that the record before holds': async ({ summarized }) => {
    const previous = earlierRecord;
    const { context } = await summarized(talkAbout('pumps'), { previous });
    expectSame(context.constraints.includes(earlierRule), true, 'whether the rule is kept');
  },

  'writes from the items of the record before where it may not read its narrative': async ({
    summarized,
  }) => {
    const more = { previous: earlierRecord, usePreviousNarrative: false };
    const { context } = await summarized(talkAbout('pumps'), more);
    expectSame(context.constraints.includes(earlierRule), true, 'whether the rule is kept');
  },

  'goes on with what it handed back': async ({ summarized }) => {
    const first = await summarized(talkAbout('pumps'));
    const previous = {
      ...earlierRecord,
      context: { ...earlierRecord.context, ...first.context },
    };
    await summarized(talkAbout('valves'), { previous });
  },

  'leaves what it is given as it is': async ({ summarized }) => {
    const messages = deepFrozen(structuredClone(everyShape));
    await summarized(messages, {
      previous: deepFrozen(structuredClone(earlierRecord)),
    });
  },

  'keeps conversations apart that it summarises at once': async ({ summarized }) => {
    const subjects = ['zanzibar', 'quetzal', 'obsidian'];
    const contents = await Promise.all(
      subjects.map((subject) =>
        summarized(talkAbout(subject), { namespace: `tenant of ${subject}` }),
      ),
    );
    for (const [index, content] of contents.entries()) {
      const text = `${contentText(content)} ${JSON.stringify(content.context.raw)}`.toLowerCase();
      const foreign = subjects.filter(
        (subject, other) => other !== index && text.includes(subject),
      );
      expectSame(foreign, [], `what the summary about ${subjects[index]} says of others`);
    }
  },

  'rejects when its signal has aborted': async ({ strategy, model }) => {
    const abortSignal = AbortSignal.abort(new Error('The user left.'));
    const input = inputFor(talkAbout('pumps'), { model, abortSignal });
    const [{ status }] = await Promise.allSettled([
      Promise.resolve().then(async () => strategy.summarize(input)),
    ]);
    expectSame(status, 'rejected', 'how it ends');
  },
};

/** What a strategy wrote. */
async function usable(strategy: SummaryStrategy, input: SummaryInput): Promise<SummaryContent> {
  const { content, usage, promptVersion } = await strategy.summarize(input);
  const { data, error } = summaryContentSchema.safeParse(content);
  if (data === undefined)
    throw new Error(
      `the content is wrong: ${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  const held = cleanContent(data, (text) => text);
  expectSame(
    held.context.raw,
    data.context.raw,
    'context.raw, at most 8,000 characters and 32 levels',
  );
  for (const [name, tokens] of Object.entries({ ...usage })) {
    const isCount = Number.isFinite(tokens) && tokens >= 0;
    expectSame(isCount, true, `whether usage.${name} is a number of tokens`);
  }
  expectSame(Object.keys({ ...usage }).toSorted(), ['inputTokens', 'outputTokens'], 'usage');
  const isVersion = promptVersion === undefined || typeof promptVersion === 'string';
  expectSame(isVersion, true, 'whether promptVersion is a string');
  return data;
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}
