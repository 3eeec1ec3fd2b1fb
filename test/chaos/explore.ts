import * as fc from 'fast-check';
import { vi } from 'vitest';
import { traces } from '../properties/generators/trace-plan.ts';
import { unhandledRejections } from '../properties/rig/unhandled-rejections.ts';

import { withFreshTexts } from './client.ts';
import { violations } from './checks.ts';
import { operations, type Operation } from './operation.ts';
import { optionSets, processCount } from './option-sets.ts';
import { stopTime, untilNoTimer } from '../support/virtual-time.ts';
import type { Plant } from './planted-defects.ts';
import { makeWorld, type Call, type WorldPlan } from './world.ts';

/** How far to look. */
export interface Exploration {
  /** Operations that are performed at least, unless something is found before. */
  readonly operations: number;
  readonly seed: number;
  /** Where in the tree of a seed a counterexample was found. */
  readonly path?: string | undefined;
  /** A defect, to check those who check. */
  readonly plant?: Plant | undefined;
  /** The check that is to notice it, by the beginning of its name: what others notice before ends nothing. */
  readonly noticedBy?: string | undefined;
  /** Follows a long run: after each round, what has been performed, and the seed of the next one. */
  readonly onRound?: ((performed: number, nextSeed: number) => void) | undefined;
}

/** What was looked at. */
export interface Explored {
  readonly operations: number;
  readonly worlds: number;
  readonly calls: number;
  /** Calls by what became of them. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The smallest history that breaks something, with what it breaks and the seed; `undefined` if none does. */
  readonly counterexample: string | undefined;
}

const plans: fc.Arbitrary<WorldPlan> = fc.record({
  start: traces({ endings: ['as-is'], noEmptySteps: true, hostile: true, maxTurns: 4 }),
  contextLength: fc.constantFrom(1200, 2000, 4000),
  counting: fc.record({
    messageTokens: fc.nat(8),
    toolPartTokens: fc.nat(8),
    countsTools: fc.boolean(),
    hiddenTokens: fc.constant(0),
    usage: fc.constantFrom('total', 'total', 'cached among', 'cached apart', 'missing'),
  }),
  options: fc.array(fc.nat(optionSets.length - 1), {
    minLength: processCount,
    maxLength: processCount,
  }),
  hasIds: fc.boolean(),
});

/** Plays worlds until enough has happened in them. */
export async function explore(exploration: Exploration): Promise<Explored> {
  let performed = 0;
  let worlds = 0;
  let calls = 0;
  const outcomes = new Map<string, number>();
  const count = (outcome: string): void =>
    void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

  const play = async (plan: WorldPlan, history: readonly Operation[]): Promise<void> => {
    worlds += 1;
    let seeds = 0;
    const start = {
      ...plan.start,
      turns: plan.start.turns.map((turn) => withFreshTexts(turn, () => (seeds += 1))),
    };
    const world = makeWorld({ ...plan, start }, exploration.plant);
    const prototype = Object.getOwnPropertyNames(Object.prototype).length;
    const rejections = await unhandledRejections(async () => {
      for (const operation of history) {
        performed += 1;
        const made = await world.perform(operation);
        calls += made.length;
        for (const { events, error } of made) {
          count(error === undefined ? 'answered' : 'refused or aborted');
          for (const type of new Set(events.map((event) => event.type))) count(type);
        }
        if (exploration.path !== undefined) console.info(JSON.stringify(operation).slice(0, 150));
        if (exploration.path !== undefined) for (const call of made) console.info(tell(call));
        const { noticedBy = '' } = exploration;
        const found = (await violations(made, world)).filter((name) => name.startsWith(noticedBy));
        if (found.length > 0) throw new Error(found.join('\n'));
      }
      await untilNoTimer();
    });
    if (rejections.length > 0) throw new Error(`P54: ${rejections.map(String).join(', ')}`);
    if (Object.getOwnPropertyNames(Object.prototype).length !== prototype)
      throw new Error('P46: Object.prototype was changed.');
  };

  await stopTime();
  try {
    const history = fc.array(operations, { minLength: 1, maxLength: 60, size: 'max' });
    let counterexample: string | undefined;
    for (
      let round = 0;
      performed < exploration.operations && counterexample === undefined;
      round += 1
    ) {
      const details = await fc.check(fc.asyncProperty(plans, history, play), {
        seed: exploration.seed + round,
        ...(exploration.path === undefined ? {} : { path: exploration.path }),
        numRuns: exploration.path === undefined ? 25 : 1,
        endOnFailure: exploration.plant !== undefined,
        reporter: () => {},
      });
      if (details.failed)
        counterexample = `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}`;
      if (exploration.path !== undefined) break;
      exploration.onRound?.(performed, exploration.seed + round + 1);
    }
    return { operations: performed, worlds, calls, outcomes, counterexample };
  } finally {
    vi.useRealTimers();
  }
}

/** What became of a call, for whoever repeats a counterexample. */
function tell({ written, received, events, error, elapsedMs }: Call): string {
  const sent = received.map(
    ({ tokens, params }) =>
      `${tokens} tokens in ${params.prompt.map(({ role }) => role[0]).join('')}`,
  );
  const told = events.map((event) => JSON.stringify({ ...event, record: undefined }));
  const given = written.trace.prompt.map(({ role }) => role[0]).join('');
  return [
    `given ${given}, sent ${sent.join(', then ')} after ${elapsedMs} ms`,
    ...told,
    error ?? '',
  ]
    .map(String)
    .join('\n  ');
}
