import { unhandledRejections } from '../properties/rig/unhandled-rejections.ts';
import { untilNoTimer } from '../support/virtual-time.ts';
import { violations } from './checks.ts';
import { withFreshTexts } from '../properties/generators/history-plan.ts';
import type { Operation } from './operation.ts';
import type { Plant } from './planted-defects.ts';
import { makeWorld, type Call, type WorldPlan } from './world.ts';

/** What happened in a world. */
export interface Played {
  /** Operations, and what came of their calls. */
  readonly story: readonly string[];
  /** What was broken, a line each. */
  readonly found: string | undefined;
}

/** Plays a history in a new world until something is found. */
export async function playWorld(
  plan: WorldPlan,
  history: readonly Operation[],
  {
    plant,
    noticedBy = '',
  }: { readonly plant?: Plant | undefined; readonly noticedBy?: string | undefined },
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
