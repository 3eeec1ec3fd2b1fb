import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { packArchive, unpackArchive } from '../../../src/archive/pack-archive.ts';
import { storeKeys } from '../../../src/stores/store-keys.ts';
import { assistant, user } from '../../support/prompt-messages.ts';

/** Text that no compression makes shorter than three quarters. */
const long = (characters: number): string => randomBytes((characters * 3) / 4).toString('base64');

it('an archive can be read whatever stands in it: the longest messages are missing where all are too long', async () => {
  const short = [user('The gas bill is 4711 euros.'), assistant('I see.')];
  const messages = [...short, user(long(6_000_000)), user(long(1_000_000))];
  const packed = await packArchive(messages, { redact: undefined }, 5_000_000);
  const keys = storeKeys('a secret of the tests', 'tenant');
  const sealed = await keys.seal('key', packed, Date.now() + 60_000);
  const opened = await keys.open('key', sealed);
  const [, , gone, kept] = await unpackArchive(opened?.text ?? '');
  expect(gone).toBeUndefined();
  expect(kept).toEqual(messages[3]);
  expect((await unpackArchive(packed)).slice(0, 2)).toEqual(short);
});
