import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBase64, toBase64 } from '../../../src/util/strings.ts';

it('writes what others write and read', () => {
  let cases = 0;
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      cases += 1;
      const text = toBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(Array.from(fromBase64(text))).toEqual(Array.from(bytes));
    }),
    { numRuns: 300 },
  );
  console.log(`${cases} cases: writes what others write and read`);
});
