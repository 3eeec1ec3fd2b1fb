import { eachLine } from './text-lines.ts';

/** How a run of tests ended. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  /** The first tests that failed. */
  readonly names: readonly string[];
}

/** Lines on which test runners say how a run ended: Vitest, Jest, pytest, Mocha, Cargo, JUnit, RSpec, TAP, Node. */
const ending =
  /^\s{0,8}(?:Tests?:?\s|Tests run:|test result:|[#ℹ] (?:pass|fail) \d|={3,} |\d+ (?:passed|failed|passing|failing)\b|\d+ examples?,)/;
/** Each run of Cargo and JUnit has an ending of its own; other runners tell of all tests in one or two lines. */
const isOneOfSeveral = /^\s*test result:/;
const counts =
  /(\d{1,7}) (passed|failed|passing|failing|failures?|errors?)\b|\b(pass|fail|Tests run|Failures|Errors):? (\d{1,7})\b|(\d{1,7}) examples?\b/g;
const failing = /^\s{0,8}(?:FAIL(?:ED)?:?|--- FAIL:|not ok \d+ -|✗|✖|×|●|test) (\S.{0,160})$/;
const goPackage = /^(ok|FAIL)\s+\S+\s+(?:[\d.]+s|\[|\(cached\))/;

const maxNames = 3;

/** Reads what a test runner printed; `undefined` where none did. */
export function readTestRun(text: string): TestRun | undefined {
  let passed = 0;
  let failed = 0;
  let isRun = false;
  const names = new Set<string>();
  eachLine(text, (line) => {
    const [, result] = goPackage.exec(line) ?? [];
    if (result !== undefined) {
      isRun = true;
      if (result === 'ok') passed += 1;
      else failed += 1;
      return true;
    }
    if (ending.test(line)) {
      const found = countsIn(line);
      isRun ||= found.isCount;
      const isAdded = isOneOfSeveral.test(line);
      passed = isAdded ? passed + found.passed : Math.max(passed, found.passed);
      failed = isAdded ? failed + found.failed : Math.max(failed, found.failed);
      return true;
    }
    const name = failing.exec(line)?.[1]?.trim();
    const isResult = name !== undefined && (!line.startsWith('test ') || name.endsWith('FAILED'));
    if (isResult && names.size < maxNames) names.add(name);
    return true;
  });
  return isRun ? { passed, failed, names: failed === 0 ? [] : [...names] } : undefined;
}

function countsIn(line: string): { passed: number; failed: number; isCount: boolean } {
  let passed = 0;
  let failed = 0;
  let all = 0;
  let isCount = false;
  for (const [, number, word, label, labelled, examples] of line.matchAll(counts)) {
    isCount = true;
    const what = (word ?? label ?? '').toLowerCase();
    const count = Number(number ?? labelled ?? examples);
    if (examples !== undefined || what === 'tests run') all = count;
    else if (what.startsWith('pass')) passed += count;
    else failed += count;
  }
  return { passed: Math.max(passed, all - failed), failed, isCount };
}
