import * as fc from 'fast-check';
import type { ModelMessage } from 'ai';
import type { Feature } from './conversation.ts';
import type { Dialect } from './dialect.ts';
import { type Reasoning, answer, system, toolStep, user } from './messages.ts';

/** A random conversation, and the lengths at which it could have been sent. */
export interface RandomConversation {
  readonly messages: readonly ModelMessage[];
  readonly ends: readonly number[];
}

/** Conversations of a few turns with tools, in shapes that the provider accepts. */
export function randomConversation(
  dialect: Dialect,
  lacks: readonly Feature[],
): fc.Arbitrary<RandomConversation> {
  const has = (feature: Feature): fc.Arbitrary<boolean> =>
    lacks.includes(feature) ? fc.constant(false) : fc.boolean();
  const reasoning: fc.Arbitrary<Reasoning | 'none'> = fc.constantFrom(
    'none' as const,
    ...(dialect.reasoningOptions === undefined ? [] : ['signed' as const]),
    ...(dialect.hiddenReasoning === undefined ? [] : ['hidden' as const]),
    ...(lacks.includes('foreign-reasoning') ? [] : ['foreign' as const]),
  );
  const server = dialect.serverTool === undefined ? fc.constant(false) : fc.boolean();
  const step = fc.record({
    calls: fc.integer({ min: 1, max: 3 }),
    text: fc.boolean(),
    reasoning,
    server,
  });
  const turn = fc.record({
    users: has('user-run').map((twice) => (twice ? 2 : 1)),
    isLateSystem: has('late-system'),
    steps: fc.array(step, { maxLength: 4 }),
    isInterrupted: has('user-after-tool'),
    reasoning,
    server,
  });
  const systems = has('several-systems').map((twice) => (twice ? 2 : 1));
  return fc
    .tuple(fc.oneof(fc.constant(0), systems), fc.array(turn, { minLength: 1, maxLength: 6 }))
    .map(([count, turns]) => build(dialect, count, turns));
}

interface Turn {
  readonly users: number;
  readonly isLateSystem: boolean;
  readonly steps: readonly {
    readonly calls: number;
    readonly text: boolean;
    readonly reasoning: Reasoning | 'none';
    readonly server: boolean;
  }[];
  readonly isInterrupted: boolean;
  readonly reasoning: Reasoning | 'none';
  readonly server: boolean;
}

function build(dialect: Dialect, systems: number, turns: readonly Turn[]): RandomConversation {
  const messages: ModelMessage[] = Array.from({ length: systems }, (_, index) =>
    system(`Instruction ${index + 1} for the agent.`),
  );
  const ends: number[] = [];
  let number = 0;
  const extra = (shape: Pick<Turn, 'reasoning' | 'server'>) => ({
    ...(shape.reasoning === 'none' ? {} : { reasoning: shape.reasoning }),
    before: shape.server ? (dialect.serverTool?.(number) ?? []) : [],
  });
  for (const [index, turn] of turns.entries()) {
    for (let count = 0; count < turn.users; count += 1) {
      messages.push(user(`topic ${index + 1} ${count + 1}`));
    }
    ends.push(messages.length);
    if (turn.isLateSystem) messages.push(system(`From turn ${index + 1} on be brief.`));
    for (const shape of turn.steps) {
      number += 1;
      const { calls, text } = shape;
      messages.push(...toolStep(dialect, number, { calls, text, ...extra(shape) }));
      ends.push(messages.length);
    }
    number += 1;
    if (!turn.isInterrupted || turn.steps.length === 0) {
      messages.push(answer(dialect, number, extra(turn)));
    }
  }
  return { messages: messages.slice(0, ends.at(-1)), ends };
}
