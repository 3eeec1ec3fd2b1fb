import * as fc from 'fast-check';
import { vi } from 'vitest';
import { withFreshTexts } from '../properties/generators/history-plan.ts';
import { traces } from '../properties/generators/trace-plan.ts';
import { unhandledRejections } from '../properties/rig/unhandled-rejections.ts';
import { stopTime, untilNoTimer } from '../support/virtual-time.ts';
import { violations } from './checks.ts';
import { onOneThread } from './on-one-thread.ts';
import { operations, optionSets, processCount, type Operation } from './operation.ts';
import type { Plant } from './planted-defects.ts';
import { makeWorld, secret, type Call, type WorldPlan } from './world.ts';

/** How far to look. */
export interface Exploration {
  /** Operations that are performed at least, unless something is found before. */
  readonly operations: number;
  readonly seed: number;
  /** A defect, to check those who check. */
  readonly plant?: Plant | undefined;
  /** The check that is to notice it, by the beginning of its name: what others notice before ends nothing. */
  readonly noticedBy?: string | undefined;
  /** Follows each world: its operations, and what came of their calls. */
  readonly onWorld?: ((story: readonly string[]) => void) | undefined;
  /** Follows a long run: after each round, what has been performed, and the seed of the next one. */
  readonly onRound?: ((performed: number, nextSeed: number) => void) | undefined;
}

/** What was looked at. */
export interface Explored {
  readonly operations: number;
  /** What was broken, the seed that repeats it, and the shortest history that breaks it; `undefined` if nothing was. */
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
  let whole: readonly string[] = [];
  const play = async (plan: WorldPlan, history: readonly Operation[]): Promise<void> => {
    const played = await playWorld(plan, history, exploration);
    whole = played.story;
    performed += played.story.length;
    exploration.onWorld?.(played.story);
    if (played.found !== undefined) throw new Error(played.found);
  };

  await stopTime();
  await onOneThread(secret);
  try {
    const histories = fc.array(operations, { minLength: 1, maxLength: 60, size: 'max' });
    for (let seed = exploration.seed; ; seed += 1) {
      const { counterexample, errorInstance } = await fc.check(
        fc.asyncProperty(plans, histories, play),
        // Shrinking of its own would go into each word of each message, for hours.
        { seed, numRuns: 25, endOnFailure: true, reporter: () => {} },
      );
      if (counterexample !== null) {
        const error = String(errorInstance);
        const [plan, history] = counterexample;
        const story = exploration.plant === undefined ? await shortest(plan, history, error) : [];
        // What hangs on chance, such as ids, need not come again.
        const told = story.length > 1 ? story : whole;
        const found = [error, `seed ${seed}`, ...told].join('\n');
        return { operations: performed, counterexample: found };
      }
      exploration.onRound?.(performed, seed + 1);
      if (performed >= exploration.operations)
        return { operations: performed, counterexample: undefined };
    }
  } finally {
    vi.useRealTimers();
  }
}

/** What happens in the shortest history that ends in the same error: its world, and its operations. */
async function shortest(
  plan: WorldPlan,
  history: readonly Operation[],
  error: string,
): Promise<readonly string[]> {
  const noticedBy = /P\d+/.exec(error)?.[0];
  let story: readonly string[] = [];
  await shrinkHistory(history, async (shorter) => {
    // One that hangs is another find.
    const played = await playWorld(plan, shorter, { noticedBy }).catch(() => undefined);
    if (played?.found === undefined) return false;
    story = played.story;
    return true;
  });
  return [JSON.stringify(plan), ...story];
}

/** Leaves out of a history what its fault can do without: halves first, then ever smaller parts. */
async function shrinkHistory(
  history: readonly Operation[],
  breaks: (history: readonly Operation[]) => Promise<boolean>,
): Promise<readonly Operation[]> {
  let smallest = history;
  for (let size = Math.ceil(history.length / 2); ; size = Math.ceil(size / 2)) {
    const { length } = smallest;
    for (let at = 0; at < smallest.length;) {
      const rest = smallest.toSpliced(at, size);
      if (await breaks(rest)) smallest = rest;
      else at += size;
    }
    // What a part was needed for may have been left out since.
    if (size === 1 && smallest.length === length) return smallest;
  }
}

/** What happened in a world. */
interface Played {
  /** Operations, and what came of their calls. */
  readonly story: readonly string[];
  /** What was broken, a line each. */
  readonly found: string | undefined;
}

/** Plays a history in a new world until something is found. */
async function playWorld(
  plan: WorldPlan,
  history: readonly Operation[],
  { plant, noticedBy = '' }: Pick<Exploration, 'plant' | 'noticedBy'>,
): Promise<Played> {
  let seeds = 0;
  const turns = plan.start.turns.map((turn) => withFreshTexts(turn, () => (seeds += 1)));
  const world = makeWorld({ ...plan, start: { ...plan.start, turns } }, plant);
  const prototype = Object.getOwnPropertyNames(Object.prototype).length;
  const story: string[] = [];
  const found: string[] = [];
  const rejections = await unhandledRejections(async () => {
    for (const operation of history) {
      const made = await world.perform(operation);
      story.push([JSON.stringify(operation), ...made.map(tell)].join('\n  '));
      const broken = await violations(made, world);
      found.push(...broken.filter((name) => name.startsWith(noticedBy)));
      if (found.length > 0) return;
    }
    await untilNoTimer();
  });
  if (rejections.length > 0) found.push(`P54: ${rejections.map(String).join(', ')}`);
  if (Object.getOwnPropertyNames(Object.prototype).length !== prototype)
    found.push('P46: Object.prototype was changed.');
  return { story, found: found.length === 0 ? undefined : found.join('\n') };
}

/** What became of a call. */
function tell({ written, received, events, error, elapsedMs }: Call): string {
  const sent = received.map(
    ({ tokens, params }) =>
      `${tokens} tokens in ${params.prompt.map(({ role }) => role[0]).join('')}`,
  );
  // Of the record its id is told, and the model of each world has another name.
  const told = events.map((event) =>
    JSON.stringify({ ...event, record: undefined, modelId: undefined }),
  );
  const given = written.trace.prompt.map(({ role }) => role[0]).join('');
  const lines = [
    `given ${given}, sent ${sent.join(', then ')} after ${elapsedMs} ms`,
    ...told,
    ...(error instanceof Error ? [`${error.name}: ${error.message}`] : []),
  ];
  return lines.join('\n    ');
}
