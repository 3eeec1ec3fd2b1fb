import { listSummaries } from '../../src/index.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import type { Scenario } from './scenarios.ts';
import { Steps, type Actor, type Fate, type Schedule } from './steps.ts';
import { secret, talk, World, type Bill, wrongWith } from './world.ts';

/** What was found, with the choices that repeat it. */
export interface Finding {
  readonly choices: readonly number[];
  readonly wrong: readonly string[];
  readonly story: readonly string[];
}

/** The process that looks at what is left, and knows nothing before. */
const observer = 9;

/** Milliseconds for which a process need not ask its store again. */
const longestCopyMs = 5001;

const all = talk(29);

/** Virtual milliseconds that a call may wait, by what happens to one step: claims of the dead are waited for. */
const waitMs: Readonly<Record<Fate, number>> = {
  done: 1500,
  fails: 3500,
  lost: 3500,
  late: 6000,
  'ends its request': 10_500,
  'ends its process': 10_500,
};

/** Summaries that may be paid for beside those that are needed, by what happened to one step. */
function extraBills({ fate, struck }: Schedule, [first]: readonly Bill[]): number {
  if (fate === 'done' || fate === 'lost') return 0;
  // What was asked of a summarizer and came to nothing is asked anew.
  if (fate === 'fails') return struck?.kind === 'is answered' ? 1 : 0;
  // A store that says nothing for as long as it is waited for does not tell of what others have paid for.
  if (fate === 'late') return first?.process === struck?.actor.process ? 0 : 1;
  // What a request or a process takes along that ends.
  return 1;
}

/** Plays one schedule of a scenario in a world of its own. */
async function play(
  { options, before, parts, bills, leastBills = 0, mostWaitMs, budget, after }: Scenario,
  clock: VirtualClock,
  prefix: readonly number[],
): Promise<Schedule & { readonly wrong: readonly string[] }> {
  const { setTimeout: set } = globalThis;
  const steps = new Steps(clock);
  const wrong: string[] = [];
  let schedule: Schedule = { choices: [], story: [], fate: 'done', struck: undefined };
  try {
    const world = new World(steps, options);
    const alone = async (process: number, work: (of: World) => Promise<unknown>): Promise<void> => {
      await steps.alone({ name: `process ${process}`, process }, async () => work(world));
    };
    if (before !== undefined) await alone(0, before);
    const paidBefore = world.bills.length;
    const waits: number[] = [];
    const works = parts.map(
      ({ process, work, afterMs = 0 }, index): [Actor, () => Promise<unknown>] => [
        { name: `${'ABC'[index]}${process}`, process },
        async () => {
          if (afterMs > 0) await new Promise((resolve) => void setTimeout(resolve, afterMs));
          const begun = clock.now();
          try {
            await work(world);
          } catch (error) {
            wrong.push(`a call failed: ${String(error)}`);
          }
          waits.push(clock.now() - begun);
        },
      ],
    );
    schedule = await steps.together(new Map(works), budget, prefix);
    const waited = Math.max(0, ...waits);
    // Who ends with the write of a claim leaves one that its own process knows nothing of: it lasts as one of the dead.
    const endsWithClaim =
      schedule.fate === 'ends its request' && schedule.struck?.kind === 'writes';
    const bound = endsWithClaim ? waitMs[schedule.fate] : (mostWaitMs ?? waitMs[schedule.fate]);
    if (waited > bound) wrong.push(`a call waited ${waited} ms`);
    const paid = world.bills.length - paidBefore;
    const most = bills + extraBills(schedule, world.bills.slice(paidBefore));
    if (paid < leastBills && schedule.fate === 'done') wrong.push('no summary was made');
    if (paid > most) wrong.push(`${paid} summaries were paid for, not ${most}`);
    if (after !== undefined) {
      await alone(observer, after);
      if (world.bills.length > paidBefore + Math.max(paid, most))
        wrong.push('another process paid for what was there');
    }
    wrong.push(...world.wrongRecords);
    const hasFailed = schedule.fate === 'fails' || schedule.fate === 'late';
    for (const call of world.sent) wrong.push(...wrongWith(world, call, hasFailed));
    if (world.gone.size > 0) {
      const isBack = (value: unknown): boolean => world.isGone(JSON.stringify(value));
      // A process that knows a summary sends it, and hears beside the call that it is gone.
      for (const check of [false, true])
        for (const { process } of parts) {
          if (steps.hasEnded(process)) continue;
          await clock.advance(longestCopyMs);
          await alone(process, async () => world.send(process, all));
          if (check && isBack(world.sent.at(-1)?.prompt)) wrong.push('what is gone was sent again');
        }
      await alone(observer, async () => {
        const state = { store: world.storeOf(observer), secret, messages: [...all] };
        if (isBack(await listSummaries(state))) wrong.push('what is gone is in the store again');
      });
    }
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error));
  } finally {
    Object.assign(globalThis, { setTimeout: set });
  }
  return { ...schedule, wrong: [...new Set(wrong)] };
}

/**
 * Plays every schedule of a scenario, and gives what was found, one of each kind.
 *
 * @param endsAtFirst - Whether one is enough.
 */
export async function search(
  scenario: Scenario,
  clock: VirtualClock,
  endsAtFirst = false,
): Promise<{ readonly schedules: number; readonly findings: readonly Finding[] }> {
  const findings = new Map<string, Finding>();
  const waiting: (readonly number[])[] = [[]];
  let schedules = 0;
  for (let prefix = waiting.pop(); prefix !== undefined; prefix = waiting.pop()) {
    const { choices, story, wrong, fate, struck } = await play(scenario, clock, prefix);
    schedules += 1;
    const taken = choices.map((choice) => choice.taken);
    const kind = wrong.map((each) => each.replaceAll(/\d+/g, '')).join(', ');
    const what = `${kind} ${fate} ${struck?.kind ?? ''}`;
    const isFound = wrong.length > 0 && !findings.has(what);
    if (isFound) findings.set(what, { choices: taken, wrong, story });
    if (isFound && endsAtFirst) break;
    for (const [index, { others }] of choices.entries())
      if (index >= prefix.length)
        for (const other of others) waiting.push([...taken.slice(0, index), other]);
  }
  return { schedules, findings: [...findings.values()] };
}
