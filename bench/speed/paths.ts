import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { SummaryStrategy } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import { agentPrompt, turn } from './bodies.ts';
import { timeOf, wrapped, type Timing, type Wrapped } from './harness.ts';

/** One path through the middleware: its time, and what decided. */
export interface PathTime extends Timing {
  readonly path: string;
  readonly measuredBy: string;
}

/** A strategy that costs nothing, so that only the middleware is measured. */
const instant: SummaryStrategy = {
  name: 'instant',
  summarize: () =>
    Promise.resolve({
      content: {
        summary: 'They read files and changed some. '.repeat(40),
        keyPoints: Array.from({ length: 20 }, (_, index) => `Point ${index} of the summary`),
        context: {
          participants: ['user', 'assistant'],
          decisions: ['Keep the layout.'],
          actionItems: [],
          unresolved: [],
          domainEntities: Array.from({ length: 60 }, (_, index) => `src/file-${index}.ts`),
          constraints: [],
        },
      },
      usage: { inputTokens: 0, outputTokens: 0 },
    }),
};

/** The prompt as the next request brings it: with the answer and one more message. */
export function continued(prompt: LanguageModelV4Prompt, seed: number): LanguageModelV4Prompt {
  return [
    ...prompt,
    { role: 'assistant', content: [{ type: 'text', text: 'Understood.' }] },
    ...turn(seed, 800).slice(0, 1),
  ];
}

/** Measures every path for a prompt of about so many tokens. */
export async function pathTimes(tokens: number): Promise<readonly PathTime[]> {
  const base = agentPrompt(tokens);
  const { total } = await builtRoot.countPromptTokens({ messages: base });
  const body = JSON.stringify(continued(base, 77));
  const rows: PathTime[] = [];
  const add = async (path: string, wrap: Wrapped, bodies: readonly string[]): Promise<void> => {
    const timing = await timeOf(bodies, wrap.prepare);
    rows.push({ path, ...timing, measuredBy: wrap.measuredBy() });
  };

  for (const times of [20, 8]) {
    const far = wrapped({ contextLength: total * times });
    await add(`no record, 1/${times} of the context`, far, [body]);
  }

  const anchored = wrapped({ contextLength: Math.ceil(total / 0.7) }, total);
  await anchored.call(base);
  await add('anchored by usage, one new message', anchored, [body]);

  for (const past of tokens < 10_000 ? [] : [1, 8]) {
    const { wrap, prompt } = await summarized(agentPrompt(tokens), Math.max(tokens, 5000), past);
    await add(`record applied, summarized ${past}x`, wrap, [JSON.stringify(continued(prompt, 78))]);
  }

  const near = wrapped({ contextLength: Math.ceil((total + 300) / 0.79), strategy: 'none' });
  // Without usage the whole is counted once.
  await near.prepare(base);
  await add('near the trigger, counts cached', near, [body]);

  const unknown = wrapped({ contextLength: Math.ceil(total / 0.6), strategy: 'none' });
  const bodies = Array.from({ length: tokens > 100_000 ? 5 : 15 }, (_, index) =>
    JSON.stringify(agentPrompt(tokens, 1000 * (index + 1) + tokens)),
  );
  await add('first call, nothing known', unknown, bodies);
  return rows;
}

/** A conversation that has been summarized so many times, and the middleware that did it. */
export async function summarized(
  prompt: LanguageModelV4Prompt,
  contextLength: number,
  times: number,
): Promise<{ readonly wrap: Wrapped; readonly prompt: LanguageModelV4Prompt }> {
  let made = 0;
  const wrap = wrapped({
    contextLength,
    strategy: instant,
    maxSummaryChainDepth: 100,
    cooldownMessages: 0,
    onEvent: (event) => {
      if (event.type === 'end') made += 1;
    },
  });
  for (let step = 1; step <= times; step += 1)
    await wrap.prepare(prompt.slice(0, Math.ceil((prompt.length * step) / times)), { force: true });
  if (made < times / 2) throw new Error(`${made} summaries of ${times} were made.`);
  return { wrap, prompt };
}
