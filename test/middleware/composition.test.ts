import {
  isStepCount,
  jsonSchema,
  type ModelMessage,
  tool,
  ToolLoopAgent,
  wrapLanguageModel,
} from 'ai';
import { expect, it } from 'vitest';
import { summarizationMiddleware } from '../../src/index.ts';
import { scriptedModel, type RecordingModel } from '../../src/entries/testing/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { expectLegal, expectPaidOnce, expectWithinLimit } from '../support/expectations.ts';
import { toolStep, words } from '../support/messages.ts';

const contextLength = 2000;
const stopWhen = isStepCount(30);

/** A recorded loop of so many steps. */
const loop = (steps: number): ModelMessage[] => [
  ...Array.from({ length: steps }, (_, index) => toolStep(`c${index}`, 'recorded')).flat(),
  { role: 'assistant', content: 'All read.' },
];
const readFile = tool({
  inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
  execute: ({ path }) => `${path}: ${words(path.length, 80)}`,
});

/** A model whose summaries say how many there were: two that differ in nothing would ask for the same next one. */
const summarizer = () =>
  scriptedModel(
    Array.from({ length: 100 }, (_, index) => JSON.stringify(emptyContent(`Summary ${index}.`))),
  );

/** The last prompt a model was sent, where all of them are legal and small enough, and no summary was paid twice. */
async function soundPrompt(inner: RecordingModel, writer: RecordingModel): Promise<string> {
  await expectWithinLimit(inner, contextLength);
  expectLegal(inner);
  expectPaidOnce(writer);
  return JSON.stringify(inner.prompts.at(-1));
}

it('subagents have windows and summaries of their own under one middleware', async () => {
  const writer = summarizer();
  const middleware = summarizationMiddleware({
    contextLength,
    summarizerModelPreference: writer,
  });
  const inside: RecordingModel[] = [];
  const research = tool({
    inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
    execute: async ({ path }) => {
      const inner = scriptedModel(loop(16));
      inside.push(inner);
      const model = wrapLanguageModel({ model: inner, middleware });
      const agent = new ToolLoopAgent({ model, tools: { read_file: readFile }, stopWhen });
      const { text } = await agent.generate({ prompt: `Subagent, research ${path}.` });
      return `${text} ${words(path.length, 150)}`;
    },
  });
  const outer = scriptedModel(loop(10));
  const agent = new ToolLoopAgent({
    model: wrapLanguageModel({ model: outer, middleware }),
    tools: { read_file: research },
    stopWhen,
  });
  await agent.generate({ prompt: 'Manager, ask around.' });
  expect(inside).toHaveLength(10);
  expect(await soundPrompt(outer, writer)).toContain('[summary-depth:');
  for (const inner of inside) expect(await soundPrompt(inner, writer)).toContain('[summary-depth:');
  expect(JSON.stringify(outer.prompts)).not.toContain('Subagent, research');
  expect(JSON.stringify(inside.map(({ prompts }) => prompts))).not.toContain('Manager, ask');
});
