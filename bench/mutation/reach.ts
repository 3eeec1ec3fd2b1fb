import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** How often each place was reached, by its number: `static` while files were loaded, `perTest` by what then ran. */
interface Reached {
  static: Record<string, number>;
  perTest: { tests?: Record<string, number> };
}

/** What the instrumented source reads and counts. */
interface Counts {
  currentTestId?: string | undefined;
  mutantCoverage?: Reached;
  hitCount?: number;
  hitLimit?: number;
}

const key = '__stryker__';
const counts: Counts = Reflect.get(globalThis, key) ?? {};
Reflect.set(globalThis, key, counts);
counts.currentTestId = undefined;
if (counts.mutantCoverage !== undefined) counts.mutantCoverage.perTest = {};
// Beyond it the source throws: what never ends is noticed.
counts.hitCount = 0;
counts.hitLimit = Number(process.env['FAULT_HITS'] ?? Infinity);

beforeAll(() => {
  counts.currentTestId = 'tests';
});

afterAll(() => {
  counts.currentTestId = undefined;
  if ((counts.hitCount ?? 0) > (counts.hitLimit ?? Infinity))
    throw new Error('With this fault something goes on for ever.');
  const reach = process.env['FAULT_REACH'];
  if (reach === undefined) return;
  const { static: loading = {}, perTest = {} } = counts.mutantCoverage ?? {};
  const line = {
    file: relative('', expect.getState().testPath ?? ''),
    loading,
    running: perTest.tests ?? {},
  };
  appendFileSync(reach, `${JSON.stringify(line)}\n`);
});
