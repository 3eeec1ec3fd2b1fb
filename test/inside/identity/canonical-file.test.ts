import { expect, it } from 'vitest';
import { canonicalMessage } from '../../../src/identity/canonical-message.ts';
import { runInSlices } from '../../../src/util/async/run-steps.ts';
import { countedSlices } from '../support/counted-slices.ts';

it('is the same of bytes and of their base64, and pauses in between', async () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index * 7);
  const slices = countedSlices();
  const read = (data: Uint8Array | string): Promise<string> => {
    const file = {
      type: 'file' as const,
      mediaType: 'application/pdf',
      data: { type: 'data' as const, data },
    };
    return runInSlices(canonicalMessage({ role: 'user', content: [file] }, new Map()), slices);
  };
  const base64 = Buffer.from(bytes).toString('base64');
  expect(await read(bytes)).toBe(await read(base64));
  expect(await read(bytes)).toContain(base64);
  expect(slices.asked()).toBeGreaterThan(3);
});
