import { generateText, type ModelMessage, type ToolResultPart } from 'ai';
import { describe, expect, it } from 'vitest';
import { memoryStore, type SummarizationOptions } from '../../src/index.ts';
import { toolStep, user, words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { promptsOf, summaryJson } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';

const secret = 'a secret of the operator';
const budget = 600;
const options = {
  contextLength: 8000,
  maxSummaryTokens: budget,
  condenseToolResults: false,
  fallbackStrategy: false,
} satisfies SummarizationOptions;

/** An agent that changes a file with each step, one of so many, and reads two others. */
function agent(steps: number, from = 0, files = from + steps): ModelMessage[] {
  return Array.from({ length: steps }, (_, index) => from + index).flatMap((step) => [
    ...toolStep(`billing/changed-${step % files}`, 'done', 'edit_file'),
    ...toolStep(`web/read-${step}`, words(step, 200)),
    ...toolStep(`web/seen-${step}`, words(step + 1, 200)),
  ]);
}

/** A call of a tool, and what came of it. */
function call(
  toolName: string,
  input: Readonly<Record<string, string>>,
  output: ToolResultPart['output'],
): ModelMessage[] {
  const of = { toolCallId: `${toolName}-${Object.values(input).join()}`, toolName };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...of, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...of, output }] },
  ];
}

/** Sends each step of an agent as a call; the summary of the last prompt. */
async function run(
  { model, inner }: SetUp,
  messages: readonly ModelMessage[],
  from = 1,
): Promise<Readonly<Record<string, unknown>>> {
  for (let count = from; count <= messages.length; count += 2)
    await generateText({ model, messages: messages.slice(0, count) });
  return summaryJson(promptsOf(inner).at(-1) ?? []);
}

const task = user('Move the billing service to minor units.');
const changed = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `src/billing/changed-${from + index}.ts`);

describe('files that were changed', () => {
  it('are named by later summaries of a model that names none of them', async () => {
    const summarizer = summarizerModel(answer({ summary: 'Work went on.' }));
    const set = setUp(options, { summarizer });
    const json = await run(set, [task, ...agent(12), ...agent(28, 12, 3)]);
    expect(set.events.filter(({ type }) => type === 'end').length).toBeGreaterThan(2);
    const text = JSON.stringify(json);
    expect(changed(12).filter((file) => text.includes(file)).length).toBeGreaterThan(8);
  });

  it('are told of as failed where a call was denied or failed', async () => {
    const set = setUp({ ...options, strategy: 'rule-based' });
    const denied = { type: 'execution-denied', reason: 'No.' } as const;
    const failed = { type: 'error-text', value: 'It ended with 1.' } as const;
    const { summary } = await run(
      set,
      [
        task,
        ...call('edit_file', { path: 'src/denied.ts' }, denied),
        ...call('edit_file', { path: 'src/failed.ts' }, failed),
        ...agent(20),
      ],
      125,
    );
    expect(String(summary)).toContain('❌ edit_file: File: src/denied.ts');
    expect(String(summary)).toContain('❌ edit_file: File: src/failed.ts');
    expect(String(summary)).not.toContain('✓ edit_file: File: src/denied.ts');
  });

  it('stay where code summarises what a model has summarised before', async () => {
    const shared = { ...options, maxSummaryTokens: 800, store: memoryStore(), secret };
    const messages = [task, ...agent(16)];
    await run(setUp(shared), messages);
    const byCode = setUp({ ...shared, strategy: 'rule-based' });
    const longer = [...messages, ...agent(14, 16)];
    const json = await run(byCode, longer, messages.length + 2);
    expect(byCode.events.filter(({ type }) => type === 'end').length).toBeGreaterThan(0);
    for (const file of changed(16)) expect(JSON.stringify(json)).toContain(file);
  });
});
