import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../../src/index.ts';
import { words } from '../support/messages.ts';
import { assistant, call as toolCall, result, user } from '../support/prompt-messages.ts';
import { checkProperty } from './rig/check-property.ts';
import { rig } from './rig/run-call.ts';

const limits = [2000, 3000, 4000];

/** An agent's steps, the first one the user's, each small beside the window. */
const histories = fc.constantFrom(...limits).chain((limit) => {
  const said = fc.record({
    kind: fc.constantFrom('tool', 'tool', 'tool', 'answer', 'user'),
    count: fc.integer({ min: 5, max: limit / 40 }),
  });
  return fc.record({
    limit: fc.constant(limit),
    steps: fc.array(said, { minLength: 70, maxLength: 110 }).map((steps) => [
      [user(`The port is 7919. ${words(999, 30)}`)],
      ...steps.map(({ kind, count }, index): Message[] => {
        const text = `${index}: ${words(index, count)}`;
        if (kind === 'user') return [user(text)];
        if (kind === 'answer') return [assistant(text)];
        const id = `call_${index}`;
        return [
          assistant('', toolCall(id, { input: { path: `${index}.ts` } })),
          { role: 'tool', content: [result(id, text)] },
        ];
      }),
    ]),
  });
});

it('keeps the window full and most of what was sent before, as a history that no summary is made of grows (P72)', async () => {
  const shares: number[] = [];
  await checkProperty(
    fc.asyncProperty(histories, async ({ limit, steps }) => {
      const { call } = rig({
        contextLength: limit,
        strategy: 'none',
        providers: { openai: { tokenMultiplier: 1 } },
      });
      const [first = [], second = []] = await Promise.all(
        [steps.slice(0, -1), steps].map(async (said) => {
          const { sent, error } = await call({ prompt: said.flat() });
          if (sent === undefined) throw error;
          return sent.prompt.map((message) => JSON.stringify(message));
        }),
      );
      fc.pre(first.length < steps.slice(0, -1).flat().length);
      for (const prompt of [first, second]) expect(prompt.join('')).toContain('The port is 7919.');
      shares.push(first.filter((message) => second.includes(message)).length / first.length);
    }),
  );
  const mean = shares.reduce((total, share) => total + share, 0) / shares.length;
  expect(mean, `of ${shares.length} pairs of calls`).toBeGreaterThan(0.8);
});
