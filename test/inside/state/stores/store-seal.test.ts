import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { maxSealedLength, storeKeys } from '../../../../src/state/stores/store-keys.ts';
import { untyped } from '../../../support/untyped.ts';

const secret = 'a secret of the tests';
const namespace = 'tenant';
const later = Date.now() + 1e9;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe.each([false, true])('a seal with encrypt: %s', (encrypt) => {
  const keys = storeKeys(secret, namespace, encrypt);

  it('gives any text back, as ASCII that is not taken for JSON, whoever opens it encrypts or not', async () => {
    const key = await keys.key('record');
    const other = storeKeys(secret, namespace, !encrypt);
    const expectBack = async (text: string): Promise<void> => {
      const value = await keys.seal(key, text, later);
      expect(value).toMatch(/^[a-z][\x21-\x7e]*$/);
      expect(() => JSON.parse(value)).toThrow(SyntaxError);
      for (const { open } of [keys, other])
        expect(await open(key, value)).toMatchObject({ text, expiresAt: later });
    };
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'grapheme' }), expectBack));
    for (const text of ['', '\ufeffx', '\0\r\n\u2028', '🙂'.repeat(30_000), 'x'.repeat(500_000)])
      await expectBack(text);
  });

  it('opens nothing that was not sealed', async () => {
    const key = await keys.key('record');
    const mac = '0'.repeat(64);
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom(null, undefined, 1, {}, []),
      fc.string().map((text) => `sealed3:${mac}:plain:${later}:${text}`),
      fc.base64String().map((text) => `sealed3:${mac}:${mac.slice(0, 24)}:${later}:${text}`),
    );
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect(await keys.open(key, untyped(value))).toBeUndefined();
      }),
    );
  });

  it('is not moved to another key, namespace, secret, version or form', async () => {
    const key = await keys.key('record', 'a');
    const value = await keys.seal(key, 'text', later);
    for (const foreign of ['another secret of the tests', `${secret}\ud800`])
      expect(await storeKeys(foreign, namespace).open(key, value)).toBeUndefined();
    const elsewhere = [
      keys.key('record', 'b'),
      keys.key('record'),
      storeKeys(secret, 'other').key('record', 'a'),
    ];
    for (const other of await Promise.all(elsewhere))
      expect(await keys.open(other, value)).toBeUndefined();
    for (const version of ['sealed2:', 'sealed4:', 'sealed30:', ''])
      expect(await keys.open(key, value.replace('sealed3:', version))).toBeUndefined();
    const form = encrypt ? 'plain' : '0'.repeat(24);
    expect(await keys.open(key, value.split(':').with(2, form).join(':'))).toBeUndefined();
  });

  it('opens until it expires', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    const key = await keys.key('record');
    const value = await keys.seal(key, 'text', 1_000_500);
    vi.setSystemTime(1_000_499);
    expect(await keys.open(key, value)).toMatchObject({ text: 'text', expiresAt: 1_000_500 });
    vi.setSystemTime(1_000_500);
    expect(await keys.open(key, value)).toBeUndefined();
    for (const time of [Number.NaN, -1, 0, 1e21, Number.POSITIVE_INFINITY]) {
      const opened = await keys.open(key, await keys.seal(key, 'x', time));
      expect(opened?.expiresAt).toBe(time > 1 ? time : undefined);
    }
  });
});

describe('a seal', () => {
  it('never looks the same where it is encrypted', async () => {
    const keys = storeKeys(secret, namespace, true);
    const key = await keys.key('record');
    const seal = async () => (await keys.seal(key, 'the text', later)).split(':').at(-1);
    expect(await seal()).not.toBe(await seal());
  });

  it('is read in full when it is as long as may be, and not hashed when it is longer', async () => {
    const keys = storeKeys(secret, namespace);
    const key = await keys.key('record');
    const empty = await keys.seal(key, '', later);
    const text = 'x'.repeat(Math.floor(((maxSealedLength - empty.length) / 4) * 3) - 3);
    const value = await keys.seal(key, text, later);
    expect(maxSealedLength - value.length).toBeLessThan(12);
    expect((await keys.open(key, value))?.text).toBe(text);
    const verify = vi.spyOn(crypto.subtle, 'verify');
    expect(await keys.open(key, value.padEnd(maxSealedLength + 1, 'A'))).toBeUndefined();
    expect(verify).not.toHaveBeenCalled();
  });
});

describe('store keys', () => {
  it('stay what they are from release to release', async () => {
    const keys = storeKeys(secret, namespace);
    const key = await keys.key('record', 'digest');
    expect([key, await keys.seal(key, 'text', 4e12)]).toMatchInlineSnapshot(`
      [
        "43f20354379ee4b71fbc88e9c79962c61781caa34baf7987a94545a5ce3222a4",
        "sealed3:6e9f1169967d455a9e52dd83dd2fa891e2a8983f0ebca2ea2756613453f687a2:plain:4000000000000:dGV4dA==",
      ]
    `);
  });

  it('try again after a fault of the runtime', async () => {
    vi.spyOn(crypto.subtle, 'importKey').mockRejectedValueOnce(new Error('busy'));
    const keys = storeKeys('a secret that fails once', namespace);
    await expect(keys.key('x')).rejects.toThrow('busy');
    expect(await keys.key('x')).toHaveLength(64);
  });

  // Tenancy is by exact strings: what looks alike is not the same.
  it.each([
    ['composed and decomposed', 'é', 'e\u0301'],
    ['halves of characters', '\ud800', '\udfff'],
    ['separators', 'a:b', 'a::b'],
  ])('differ for %s', async (_name, one, other) => {
    const keys = storeKeys(secret, namespace);
    const [first, second] = await Promise.all(
      [one, other].map((each) => storeKeys(secret, each).key('x')),
    );
    expect(first?.slice(0, 16)).not.toBe(second?.slice(0, 16));
    expect(first?.slice(16)).not.toBe(second?.slice(16));
    expect(await keys.key('id', one)).not.toBe(await keys.key('id', other));
    const ofSecret = (part: string) => storeKeys(`${secret}${part}`, namespace).key('x');
    expect(await ofSecret(one)).not.toBe(await ofSecret(other));
  });
});
