import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { answer, summarizerModel } from '../support/models.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const summarizer = () => summarizerModel(answer({ summary: 'They looked at files.' }));

/** An agent's run of so many steps, each with a file of its own and 400 words of it. */
function run(steps: number): ModelMessage[] {
  return [
    user('Find out why order 8812 is charged twice.'),
    ...Array.from({ length: steps }, (_, step) => [
      ...toolStep(`module-${step}`, `function charge${step}() {}\n${words(step, 400)}`),
      assistant(`The file src/module-${step}.ts charges once.`),
    ]).flat(),
    user('Go on.'),
  ];
}

async function sentFor(messages: readonly ModelMessage[], contextLength: number): Promise<string> {
  const { model, inner } = setUp({ contextLength }, { summarizer: summarizer() });
  await generateText({ model, messages: [...messages] });
  return summaryOf(lastPrompt(inner)) ?? '';
}

function minutesIn(summary: string): string {
  const { minutes = '' }: { minutes?: string } = JSON.parse(summary.split('\n')[2] ?? '{}');
  return minutes;
}

describe('the minutes in the summary of a model', () => {
  it('fill what a large budget holds beyond what the model is asked for', async () => {
    const summary = await sentFor(run(150), 80_000);
    expect(summary).toContain('They looked at files.');
    // It stands among the user's words, and is said once.
    expect(summary.split('order 8812')).toHaveLength(2);
    const minutes = minutesIn(summary);
    expect(minutes).toMatch(/src\/module-\d+\.ts charges once/);
    expect(minutes.length).toBeGreaterThan(3000);
  });

  it('leave room for what the model and the user said where the budget is small', async () => {
    const summary = await sentFor(run(40), 8000);
    expect(summary).toContain('They looked at files.');
    expect(summary).toContain('Find out why order 8812 is charged twice.');
    const told = new Set(minutesIn(summary).match(/module-\d+\.ts/g));
    expect(told.size).toBeLessThan(40);
  });

  it('stay within the budget, and let their oldest lines go first', async () => {
    const {
      model,
      inner,
      summarizer: asked,
    } = setUp({ contextLength: 80_000 }, { summarizer: summarizer() });
    for (const steps of [150, 300, 450, 600]) await generateText({ model, messages: run(steps) });
    expect(asked.doGenerateCalls.length).toBeGreaterThanOrEqual(3);
    const summary = summaryOf(lastPrompt(inner)) ?? '';
    // 5,000 tokens, of more than four characters at the most.
    expect(summary.length).toBeLessThan(5000 * 6);
    const minutes = minutesIn(summary);
    const steps = [...minutes.matchAll(/module-(\d+)\.ts charges/g)].map(([, step]) =>
      Number(step),
    );
    expect(Math.max(...steps)).toBeGreaterThan(300);
    expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  });
});
