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
): Promise<Readonly<Record<string, unknown>> & { readonly files: readonly string[] }> {
  for (let count = from; count <= messages.length; count += 2)
    await generateText({ model, messages: messages.slice(0, count) });
  const json = summaryJson(promptsOf(inner).at(-1) ?? []);
  const { changedFiles = [] } = json;
  return { ...json, files: Array.isArray(changedFiles) ? changedFiles.map(String) : [] };
}

const task = user('Move the billing service to minor units.');
const changed = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `src/billing/changed-${from + index}.ts`);

describe('files that were changed', () => {
  it('stay through summaries of a model that names none of them', async () => {
    const long = words(3, 500);
    const summarizer = summarizerModel(answer({ summary: long, keyPoints: [long] }));
    const set = setUp(options, { summarizer });
    const messages = [task, ...agent(12), ...agent(28, 12, 3)];
    const { files, domainEntities } = await run(set, messages);
    expect(set.events.filter(({ type }) => type === 'end').length).toBeGreaterThan(2);
    expect(new Set(files)).toEqual(new Set(changed(12)));
    expect(JSON.stringify(domainEntities ?? [])).not.toContain('changed-');
  });

  it('are those of calls that ran: none of what was denied, and of a failed edit', async () => {
    const set = setUp(options);
    const denied = { type: 'execution-denied', reason: 'No.' } as const;
    const failed = { type: 'error-text', value: 'It ended with 1.' } as const;
    const script = { command: 'cat > src/made.ts <<EOF\nx\nEOF\nnpm test' };
    const { files } = await run(
      set,
      [
        task,
        ...call('edit_file', { path: 'src/denied.ts' }, denied),
        ...call('bash', { command: 'touch src/denied-too.ts' }, denied),
        ...call('edit_file', { path: 'src/failed.ts' }, failed),
        ...call('bash', script, failed),
        ...agent(20),
      ],
      69,
    );
    expect(files).toEqual(['src/made.ts', ...changed(files.length - 1)]);
    expect(files.length).toBeGreaterThan(5);
  });

  it('are listed with the last changed last', async () => {
    const set = setUp(options);
    const again = toolStep('billing/changed-1', 'done', 'edit_file');
    const { files } = await run(set, [task, ...agent(12), ...again, ...agent(12, 12)]);
    expect(files.filter((file) => file === 'src/billing/changed-1.ts')).toHaveLength(1);
    expect(files.indexOf('src/billing/changed-1.ts')).toBe(11);
    expect(files[0]).toBe('src/billing/changed-0.ts');
  });

  it('take a quarter of a full summary at most, the first changed leave', async () => {
    const long = words(3, 2000);
    const summarizer = summarizerModel(answer({ summary: long }));
    const patch = changed(300)
      .map((file) => `*** Update File: ${file}\n+1`)
      .join('\n');
    const set = setUp(options, { summarizer });
    const patched = toolStep('patch', 'done', 'apply_patch').map((message) =>
      message.role === 'assistant' && typeof message.content !== 'string'
        ? {
            ...message,
            content: message.content.map((part) =>
              part.type === 'tool-call' ? { ...part, input: { patch } } : part,
            ),
          }
        : message,
    );
    const { files, summary } = await run(set, [task, ...patched, ...agent(20)], 61);
    expect(JSON.stringify(files).length / 4).toBeLessThan(budget / 2);
    expect(files.length).toBeGreaterThan(5);
    expect(files).not.toContain('src/billing/changed-20.ts');
    expect(String(summary).length).toBeGreaterThan(100);
  });

  it('are neither doubted nor listed twice where a later summary names them', async () => {
    const summarizer = summarizerModel(
      answer({
        summary: 'Work went on in `src/billing/changed-0.ts`.',
        context: { domainEntities: ['src/billing/changed-0.ts', 'src/billing/Changed-1.ts'] },
      }),
    );
    const set = setUp(options, { summarizer });
    const { changedFiles, domainEntities, summary } = await run(set, [
      task,
      ...agent(2),
      ...agent(38, 2, 2),
    ]);
    expect(set.events.filter(({ type }) => type === 'end').length).toBeGreaterThan(2);
    const text = JSON.stringify({ changedFiles, domainEntities, summary });
    expect(text.split('src/billing/changed-0.ts')).toHaveLength(3);
    expect(text).not.toContain('(?)');
    expect(text).not.toContain('Changed-1');
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

  it('stay where a model goes on with what code has summarised in its place', async () => {
    const written = words(3, 500);
    const answers = [answer({ summary: written }), 'no record', answer({ summary: written })];
    const set = setUp(
      { ...options, fallbackStrategy: 'rule-based' },
      { summarizer: summarizerModel(...answers) },
    );
    const { files } = await run(set, [task, ...agent(9), ...agent(40, 9, 3)]);
    const made = set.events.flatMap((event) => (event.type === 'end' ? event.strategy : []));
    expect(made.slice(0, 3)).toEqual(['llm', 'rule-based', 'llm']);
    expect(new Set(files)).toEqual(new Set(changed(9)));
  });
});
