import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, engines } from '../stores/engines.ts';
import { runSchedule, type ScheduleResult } from './schedules/run-schedule.ts';
import type { Sent } from './schedules/sender.ts';

const sender = fileURLToPath(new URL('schedules/sender.ts', import.meta.url));
const hooks = new URL('../support/markdown-as-text.ts', import.meta.url).href;

const processCount = 4;
const requestCount = 50;
const scheduleCount = Number(process.env['SCHEDULES'] ?? 170);
/** Schedules at once: those in which a process ends wait for its claim to end. */
const atOnce = 16;

describe.each(Object.entries(engines))('conversations on %s', (_, start) => {
  let opened: Engine | undefined;
  beforeAll(async () => {
    opened = await start();
  });
  afterAll(async () => opened?.stop());

  it(`are paid for once by ${processCount} processes, which send the same bytes`, async () => {
    const children = Array.from({ length: processCount }, () =>
      fork(sender, [JSON.stringify(opened?.place), `${requestCount}`], {
        execArgv: ['--no-warnings', '--import', hooks],
      }),
    );
    await Promise.all(children.map(async (child) => once(child, 'message')));
    const sent = children.map(
      async (child) =>
        new Promise<Sent>((resolve, reject) => {
          child.once('message', (said: Sent) => resolve(said));
          child.once('exit', () => reject(new Error('A process ended before it had sent all.')));
        }),
    );
    for (const child of children) child.send('go');
    const all = await Promise.all(sent);
    expect(all.flatMap(({ prompts }) => prompts)).toHaveLength(processCount * requestCount);
    expect(new Set(all.flatMap(({ prompts }) => prompts)).size).toBe(1);
    expect(all.reduce((sum, { paid }) => sum + paid, 0)).toBe(1);
  });

  it(`keep nothing erased or undone, and are paid for once, in ${scheduleCount} schedules`, async () => {
    if (opened === undefined) throw new Error('There is no store.');
    const store = opened.open();
    const results: ScheduleResult[] = [];
    let next = 0;
    const runAll = async (): Promise<void> => {
      while (next < scheduleCount) {
        const seed = (next += 1);
        const result = await runSchedule(`schedule ${seed}`, store, seed);
        results.push(result);
        expect(result.wrong, `seed ${seed}`).toEqual([]);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, runAll));
    const sum = (of: (result: ScheduleResult) => number): number =>
      results.reduce((total, result) => total + of(result), 0);
    console.info(
      `${results.length} schedules: ${sum(({ bills }) => bills)} bills, ${sum(({ erasures }) => erasures)} erasures, ${sum(({ undone }) => undone)} undone, ${sum(({ prepared }) => prepared)} prepared, ${sum(({ killed }) => killed)} killed`,
    );
  });
});
