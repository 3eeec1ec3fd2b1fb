import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// Loaded before each test file of the run that finds out which of them reach which fault.

const path = process.env['REACHED_FAULTS'] ?? '';
const reached = new Set<number>();
Object.assign(globalThis, { reachFault: (number: number) => reached.add(number) });
afterAll(() => {
  const { testPath } = expect.getState();
  appendFileSync(path, `${JSON.stringify({ testPath, reached: [...reached] })}\n`);
});
