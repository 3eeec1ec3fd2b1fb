import { expect, it } from 'vitest';
import { engines } from '../stores/engines.ts';
import { runSchedule, type ScheduleResult } from './run-schedule.ts';

const scheduleCount = Number(process.env['SCHEDULES'] ?? 170);

/** Schedules at once on an engine: those in which a process ends wait for its claim to end. */
const atOnce = 16;

it.concurrent.each(Object.entries(engines))(
  `conversations on %s keep nothing erased or undone, and are paid for once, in ${scheduleCount} schedules`,
  async (_, start) => {
    const { open, stop } = await start();
    const store = open();
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
    await stop();
    for (const what of ['bills', 'erasures', 'undone'] as const)
      expect(results.reduce((total, result) => total + result[what], 0)).toBeGreaterThan(0);
  },
);
