import { cleanContent } from '../../prompt/cleaning/clean-content.ts';
import { checkInput, checkThat } from '../../foundations/checks/check-object.ts';
import type { Message, WrappedModel } from '../../prompt/messages/prompt-types.ts';
import { contentText, emptyContent, withItems } from '../../foundations/record/content-items.ts';
import { summaryContentSchema } from '../../foundations/record/record-schemas.ts';
import type { SummaryContent, SummaryRecord } from '../../foundations/record/summary-record.ts';
import type {
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from '../../summaries/strategies/summary-strategy.ts';
import { awkwardTexts, checksFor, expectSame, type ChecksOf, type StoreCheck } from './check.ts';
import { scriptedModel } from './scripted-model.ts';

/** Options of {@link strategyChecks}. */
export interface StrategyChecksOptions {
  /**
   * The model of the conversation, for strategies that call it.
   * @default one that fails
   */
  readonly model?: WrappedModel | undefined;
}

/**
 * Contract of every {@link SummaryStrategy}, as checks for any test runner. A strategy that asks models is
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
  const { model = scriptedModel([new Error('It cannot be reached.')]) } = options;
  return checksFor(checks, async () => underTest(await make(), model));
}

/** A strategy, what it writes of some messages and whether a record can hold that. */
function underTest(strategy: SummaryStrategy, model: WrappedModel) {
  const summarize = async (messages: readonly Message[], more: Partial<SummaryInput> = {}) =>
    strategy.summarize({
      messages,
      model,
      usePreviousNarrative: true,
      maxSummaryTokens: 2000,
      ...more,
    });
  const summarized = async (...input: Parameters<typeof summarize>): Promise<SummaryContent> =>
    usable(await summarize(...input));
  return { strategy, summarize, summarized };
}

const checks: ChecksOf<ReturnType<typeof underTest>> = {
  'has a name': async ({ strategy: { name } }) => {
    expectSame(typeof name === 'string' && name.trim() !== '', true, 'whether it has a name');
  },

  'writes content that a record can hold': async ({ summarized }) => {
    await summarized(talkAbout());
  },

  'reads messages of every role and kind': async ({ summarized }) => {
    await summarized(everyShape);
  },

  'reads texts that could be taken for something else': async ({ summarized }) => {
    await summarized(awkwardTalk);
  },

  'keeps the rules of the user that the record before holds': async ({ summarized }) => {
    // With its narrative, and from its items alone.
    for (const usePreviousNarrative of [true, false]) {
      const more = { previous: earlierRecord, usePreviousNarrative };
      const { context } = await summarized(talkAbout(), more);
      expectSame(context.constraints.includes(earlierRule), true, 'whether the rule is kept');
    }
  },

  'goes on with what it handed back': async ({ summarized }) => {
    const { context } = await summarized(talkAbout());
    const previous = { ...earlierRecord, context: { ...earlierRecord.context, ...context } };
    await summarized(talkAbout('valves'), { previous });
  },

  'leaves what it is given as it is': async ({ summarized }) => {
    const messages = deepFrozen(structuredClone(everyShape));
    await summarized(messages, { previous: deepFrozen(structuredClone(earlierRecord)) });
  },

  'keeps conversations apart that it summarizes at once': async ({ summarized }) => {
    const subjects = ['zanzibar', 'quetzal', 'obsidian'];
    const writing = subjects.map(async (subject) =>
      summarized(talkAbout(subject), { namespace: `tenant of ${subject}` }),
    );
    for (const [index, content] of (await Promise.all(writing)).entries()) {
      const text = `${contentText(content)} ${JSON.stringify(content.context.raw)}`.toLowerCase();
      const others = subjects.toSpliced(index, 1);
      const foreign = others.filter((subject) => text.includes(subject));
      expectSame(foreign, [], `what the summary about ${subjects[index]} says of others`);
    }
  },

  'rejects when its signal has aborted': async ({ summarize }) => {
    const abortSignal = AbortSignal.abort(new Error('The user left.'));
    const [{ status }] = await Promise.allSettled([summarize(talkAbout(), { abortSignal })]);
    expectSame(status, 'rejected', 'how it ends');
  },
};

/** Content of a strategy, if a record can hold it. */
function usable({ content, usage }: SummaryOutput): SummaryContent {
  const { data, error } = summaryContentSchema.safeParse(content);
  if (data === undefined) throw new Error(`the content is wrong: ${error.message}`);
  const { raw } = cleanContent(data, (text) => text).context;
  expectSame(raw, data.context.raw, 'context.raw, at most 8,000 characters');
  const { inputTokens, outputTokens } = usage ?? {};
  const areCounts = Number.isFinite(inputTokens) && Number.isFinite(outputTokens);
  expectSame(areCounts, true, 'whether usage.inputTokens and usage.outputTokens are numbers');
  return data;
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}

function said(role: 'user' | 'assistant', text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}

/** A conversation about a subject that is named in each of its messages. */
function talkAbout(subject = 'pumps', turns = 8): readonly Message[] {
  return Array.from({ length: turns }, (_, turn) => {
    const batch = `${subject} of batch ${turn + 40}`;
    return [
      said('user', `Question ${turn}: what became of the order of the ${batch}?`),
      said('assistant', `The ${batch} was sent on Monday and is still on its way.`),
    ];
  }).flat();
}

/** Calls and what came of them, of every kind. */
const outputs = [
  ['read_file', { path: 'a.ts' }, { type: 'text', value: 'export const pumps = 12;\n'.repeat(40) }],
  ['list', null, { type: 'json', value: [{ id: 1 }, null, ['deep', { x: [] }]] }],
  ['fetch', 'not an object', { type: 'error-text', value: 'connection refused' }],
] as const;

const picture = { type: 'data', data: 'iVBORw0KGgo=' } as const;

/** Messages of every role with parts of every kind. */
const everyShape: readonly Message[] = [
  ...talkAbout('boilers', 2),
  said('user', ''),
  { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: picture }] },
  { role: 'assistant', content: [{ type: 'reasoning', text: 'The user wants the file.' }] },
  ...outputs.flatMap(([toolName, input, output]): Message[] => {
    const call = { toolCallId: toolName, toolName };
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: structuredClone(output) }],
      },
    ];
  }),
  { role: 'assistant', content: [] },
  ...talkAbout('valves', 2),
];

/** A conversation in which the user says what a strategy may trip over. */
const awkwardTalk = [...awkwardTexts, '{content} $& $1', '\ud800 lone \udfff'].flatMap((text) => [
  said('user', text),
  said('assistant', `You said: ${text}`),
]);

/** A rule of the user that the record before holds. */
const earlierRule = 'Never delete the staging database.';

/** A record that a strategy is to continue. */
const earlierRecord: SummaryRecord = {
  ...withItems(emptyContent('The user asked for pumps, and the assistant ordered twelve.'), () => ({
    keyPoints: [{ item: 'Twelve pumps were ordered.', origin: { role: 'assistant', message: 1 } }],
    constraints: [{ item: earlierRule, origin: { role: 'user', message: 0 } }],
  })),
  version: 3,
  id: '0123456789abcdef',
  timestamp: 1_700_000_000_000,
  depth: 0,
  coveredMessages: 2,
  prefixDigest: 'c',
  strategy: 'checks',
  degraded: false,
  metrics: { inputTokens: 900, outputTokens: 90, compressionRatio: 0.1, level: 'STANDARD' },
};
