import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storeKeys } from '../../../src/stores/store-keys.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';

const anyNames = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', 'a:b', '\0'));

describe('store keys', () => {
  it('of two namespaces never meet, whatever their fields are (P42)', async () => {
    const fields = fc.array(anyNames, { maxLength: 3 });
    await checkProperty(
      fc.asyncProperty(anyNames, anyNames, fields, fields, async (a, b, fieldsA, fieldsB) => {
        fc.pre(a !== b);
        const keyA = await storeKeys('one secret', a).key(...fieldsA);
        const keyB = await storeKeys('one secret', b).key(...fieldsB);
        expect(keyA).not.toBe(keyB);
      }),
      500,
    );
  });

  it('keep apart namespaces that differ in broken characters only (P42)', async () => {
    const [a, b] = ['\ud800', '\ud801'];
    expect(await storeKeys('one secret', a).key('x')).not.toBe(
      await storeKeys('one secret', b).key('x'),
    );
  });
});
