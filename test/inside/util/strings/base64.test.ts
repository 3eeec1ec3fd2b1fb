import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../../src/util/async/run-steps.ts';
import { base64Steps, fromBase64 } from '../../../../src/util/strings/base64.ts';

describe('base64Steps', () => {
  it('writes what others write and read', () => {
    let cases = 0;
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        cases += 1;
        const text = runAtOnce(base64Steps(bytes));
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(Array.from(fromBase64(text))).toEqual(Array.from(bytes));
      }),
      { numRuns: 300 },
    );
    console.log(`${cases} cases: base64Steps > writes what others write and read`);
  });

  it('lets others work between the pieces of many bytes', () => {
    const bytes = Uint8Array.from({ length: 1_000_001 }, (_, index) => index);
    const steps = base64Steps(bytes);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(10);
    expect(step.value).toBe(Buffer.from(bytes).toString('base64'));
  });
});
