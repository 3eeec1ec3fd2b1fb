import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import type { SummarizationEvent } from '../../src/index.ts';
import {
  asksForSummary,
  conversationOf,
  sentText,
  tableModel,
  type Shape,
} from '../../test/support/table-models.ts';
import { builtRoot } from '../built-package.ts';
import { writeResults } from '../write-results.ts';

// What one summary buys with the first example of the README. Definitions: README.md of the folder above.

const { summarizationMiddleware, countPromptTokens, explainSummarization } = builtRoot;

interface Row {
  readonly modelId: string;
  /** Tokens a prompt may have. */
  readonly window: number;
  /** Who summarizes, where that is another model. */
  readonly summarizer?: string;
}

const tiny: readonly Row[] = [
  { modelId: 'gpt-4o', window: 128_000 },
  { modelId: 'gpt-3.5-turbo', window: 16_384 },
  { modelId: 'deepseek-chat', window: 128_000 },
];
const all: readonly Row[] = [
  ...tiny,
  { modelId: 'gpt-4o', window: 128_000, summarizer: 'gpt-4o-mini' },
  { modelId: 'claude-sonnet-4-5', window: 200_000 },
  { modelId: 'gpt-5-mini', window: 272_000 },
  { modelId: 'gemini-2.5-flash', window: 1_048_576 },
];
const rows = process.argv.includes('--tiny') ? tiny : all;
const shares = [0.81, 1.02];
const shapes: readonly Shape[] = ['chat', 'tools'];

function modelOf(modelId: string): MockLanguageModelV4 {
  return tableModel({ provider: 'bench', modelId });
}

/** A conversation whose prompt takes a share of what its model accepts, as the middleware counts it. */
async function conversationFor(
  model: MockLanguageModelV4,
  shape: Shape,
  tokens: number,
): Promise<{ readonly ratio: number; readonly messages: ModelMessage[] }> {
  const messages = conversationOf(shape, tokens);
  const { ratio } = await explainSummarization({ model, messages });
  return { ratio, messages };
}

interface Bill {
  readonly calls: number;
  /** Tokens read over those of what the record stands for. */
  readonly read: number;
  readonly isOfModel: boolean;
}

async function billOf(row: Row, shape: Shape, share: number): Promise<Bill> {
  const inner = modelOf(row.modelId);
  const summarizer = row.summarizer === undefined ? inner : modelOf(row.summarizer);
  const wanted = share * row.window;
  const first = await conversationFor(inner, shape, wanted);
  const { messages } = await conversationFor(inner, shape, (wanted * share) / first.ratio);
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    ...(row.summarizer === undefined ? {} : { summarizerModelPreference: summarizer }),
    onEvent: (event) => void events.push(event),
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  await generateText({ model, instructions: 'You help.', messages });
  const end = events.find((event) => event.type === 'end');
  if (end === undefined) throw new Error(`Nothing was summarized of ${row.modelId}.`);
  const asked = summarizer.doGenerateCalls.filter(asksForSummary);
  const sent: ModelMessage[] = asked.map((call) => ({ role: 'user', content: sentText(call) }));
  const tokensOf = async (given: ModelMessage[]): Promise<number> =>
    (await countPromptTokens({ model: inner, messages: given })).total;
  const covered = await tokensOf(messages.slice(0, end.coveredMessages));
  return {
    calls: asked.length,
    read: (await tokensOf(sent)) / covered,
    isOfModel: end.strategy === 'llm' && !end.degraded,
  };
}

const lines: string[] = [];
function print(cells: readonly string[]): void {
  lines.push(`| ${cells.join(' | ')} |`);
}

const columns = shapes.flatMap((shape) => shares.map((share) => ({ shape, share })));
const names: Readonly<Record<Shape, string>> = { chat: 'chat', tools: 'agent loop', huge: 'paste' };
print([
  'model, tokens a prompt may have',
  ...columns.map(({ shape, share }) => `${names[shape]}, ${share * 100} %`),
]);
print(['---', ...columns.map(() => '---')]);
for (const row of rows) {
  const bills: Bill[] = [];
  for (const { shape, share } of columns) bills.push(await billOf(row, shape, share));
  const by = row.summarizer === undefined ? '' : `, summarized by ${row.summarizer}`;
  print([
    `${row.modelId} (${row.window.toLocaleString('en')})${by}`,
    ...bills.map(
      ({ calls, read, isOfModel }) =>
        `${calls} (${read.toFixed(2)} x)${isOfModel ? '' : ', by rules'}`,
    ),
  ]);
  const isFair = bills.every(({ calls, isOfModel }) => isOfModel && calls === 1);
  if (!isFair) process.exitCode = 1;
}
writeResults('bill', 'npm run bench -- bill', lines);
