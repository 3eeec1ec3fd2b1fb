import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { maxSealedLength, storeKeys, type StoreKeys } from '../../../src/stores/store-keys.ts';
import { untyped } from '../../support/untyped.ts';

const secret = 'a secret of the tests';
const namespace = 'tenant';
const later = Date.now() + 1e9;
const forms = [{ encrypt: false }, { encrypt: true }];

const keysOf = (
  given: { secret?: string; namespace?: string; encrypt?: boolean } = {},
): StoreKeys => {
  const keys = { secret, namespace, encrypt: false, ...given };
  return storeKeys(keys.secret, keys.namespace, keys.encrypt);
};

afterEach(() => {
  vi.useRealTimers();
});

describe.each(forms)('a seal with encrypt: $encrypt', ({ encrypt }) => {
  const keys = keysOf({ encrypt });

  it.each([
    ['nothing', ''],
    ['JSON', '{"a":[1,"x"]}'],
    ['more than ASCII', 'über 日本語 🙂'],
    ['a byte order mark', '\ufeffx'],
    ['control characters', '\0\r\n\u2028'],
    ['three million characters', 'x'.repeat(3_000_000)],
    ['many astral characters', '🙂'.repeat(100_000)],
  ])('gives %s back', async (_name, text) => {
    const key = await keys.key('record');
    const value = await keys.seal(key, text, later);
    expect(await keys.open(key, value)).toMatchObject({ text, expiresAt: later });
  });

  it('gives any text back, as ASCII that is not taken for JSON', async () => {
    const key = await keys.key('record');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const value = await keys.seal(key, text, later);
        expect(value).toMatch(/^[a-z][\x21-\x7e]*$/);
        expect(() => JSON.parse(value)).toThrow(SyntaxError);
        expect((await keys.open(key, value))?.text).toBe(text);
      }),
    );
  });

  it('breaks when any one character is altered, left out or added', async () => {
    const key = await keys.key('record');
    const value = await keys.seal(key, '{"summary":"text"}', later);
    for (let index = 0; index < value.length; index += 1) {
      const [start, end] = [value.slice(0, index), value.slice(index + 1)];
      const code = value.charCodeAt(index);
      const own = value.charAt(index);
      const others = Array.from({ length: 8 }, (_, bit) => String.fromCharCode(code ^ (1 << bit)));
      const altered = [
        ...others.map((other) => start + other + end),
        start + own.toUpperCase() + end,
        start + own.toLowerCase() + end,
        `${start}${own}\n${end}`,
        `${start}${own}\ud800${end}`,
        start + end,
        start,
      ].filter((text) => text !== value);
      for (const text of altered) expect(await keys.open(key, text)).toBeUndefined();
    }
  });

  it('opens nothing that was not sealed', async () => {
    const key = await keys.key('record');
    const mac = '0'.repeat(64);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.string().map((text) => `sealed3:${mac}:${text}`),
          fc.string().map((text) => `sealed3:${mac}:plain:${later}:${text}`),
          fc.base64String().map((text) => `sealed3:${mac}:${mac.slice(0, 24)}:${later}:${text}`),
        ),
        async (value) => {
          expect(await keys.open(key, value)).toBeUndefined();
        },
      ),
    );
  });

  it.each([null, undefined, 1, true, {}, [], Symbol('x')].map((value) => ({ value })))(
    'takes $value of a store without types for nothing',
    async ({ value }) => {
      expect(await keys.open(await keys.key('record'), untyped(value))).toBeUndefined();
    },
  );

  it('is not moved to another key, namespace, secret or version', async () => {
    const key = await keys.key('record', 'a');
    const value = await keys.seal(key, 'text', later);
    const foreign = [
      keysOf({ encrypt, secret: 'another secret of the tests' }),
      keysOf({ encrypt, secret: `${secret}\ud800` }),
    ];
    for (const other of foreign) expect(await other.open(key, value)).toBeUndefined();
    const elsewhere = await Promise.all([
      keys.key('record', 'b'),
      keys.key('record'),
      keysOf({ encrypt, namespace: 'other' }).key('record', 'a'),
    ]);
    for (const other of elsewhere) expect(await keys.open(other, value)).toBeUndefined();
    for (const version of ['sealed2:', 'sealed4:', 'sealed30:', ''])
      expect(await keys.open(key, value.replace('sealed3:', version))).toBeUndefined();
  });

  it('is not taken for the other form', async () => {
    const key = await keys.key('record');
    const value = await keys.seal(key, 'text', later);
    const parts = value.split(':');
    parts[2] = encrypt ? 'plain' : '0'.repeat(24);
    const other = parts.join(':');
    expect(other).not.toBe(value);
    expect(await keys.open(key, other)).toBeUndefined();
  });

  it('opens until it expires', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    const key = await keys.key('record');
    const value = await keys.seal(key, 'text', 1_000_500);
    vi.setSystemTime(1_000_499);
    expect(await keys.open(key, value)).toMatchObject({ text: 'text', expiresAt: 1_000_500 });
    vi.setSystemTime(1_000_500);
    expect(await keys.open(key, value)).toBeUndefined();
    const times = [
      [Number.NaN, undefined],
      [-1, undefined],
      [0, undefined],
      [1_000_500.5, 1_000_500.5],
      [1e21, 1e21],
      [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ] as const;
    for (const [time, expected] of times)
      expect((await keys.open(key, await keys.seal(key, 'x', time)))?.expiresAt).toBe(expected);
  });

  it('is opened by keys that encrypt and by keys that do not', async () => {
    const key = await keys.key('record');
    const value = await keys.seal(key, 'text', later);
    for (const form of forms) {
      const other = keysOf(form);
      expect(await other.key('record')).toBe(key);
      expect((await other.open(key, value))?.text).toBe('text');
    }
  });
});

describe('a seal', () => {
  it('shows nothing of an encrypted text, and never looks the same', async () => {
    const keys = keysOf({ encrypt: true });
    const key = await keys.key('record');
    const text = 'the text that nobody is to read';
    const values = await Promise.all([1, 2].map(() => keys.seal(key, text, later)));
    expect(new Set(values.map((value) => value.split(':').at(-1))).size).toBe(2);
    for (const value of values) expect(atob(value.split(':').at(-1) ?? '')).not.toContain('text');
  });

  it('that is too long is not hashed', async () => {
    const keys = keysOf();
    const key = await keys.key('record');
    const value = await keys.seal(key, 'text', later);
    const verify = vi.spyOn(crypto.subtle, 'verify');
    expect(await keys.open(key, value.padEnd(maxSealedLength + 1, 'A'))).toBeUndefined();
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  it('is read in full when it is as long as may be', async () => {
    const keys = keysOf();
    const key = await keys.key('record');
    const empty = await keys.seal(key, '', later);
    const text = 'x'.repeat(Math.floor(((maxSealedLength - empty.length) / 4) * 3) - 3);
    const value = await keys.seal(key, text, later);
    expect(maxSealedLength - value.length).toBeLessThan(12);
    expect((await keys.open(key, value))?.text).toBe(text);
  });
});

describe('store keys', () => {
  it('are 64 hexadecimal digits, the first 16 those of the namespace', async () => {
    const keys = keysOf();
    const names = await Promise.all([
      keys.key(),
      keys.key('a'),
      keys.key('a', 'b'),
      keys.key('ab'),
    ]);
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(names.map((name) => name.slice(0, 16))).size).toBe(1);
    expect(new Set(names.map((name) => name.slice(16))).size).toBe(4);
    const other = await keysOf({ namespace: 'other' }).key('a');
    expect(other.slice(0, 16)).not.toBe(names[1]?.slice(0, 16));
    expect(other.slice(16)).not.toBe(names[1]?.slice(16));
  });

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
    const spy = vi.spyOn(crypto.subtle, 'importKey').mockRejectedValueOnce(new Error('busy'));
    const keys = storeKeys('a secret that fails once', namespace);
    await expect(keys.key('x')).rejects.toThrow('busy');
    expect(await keys.key('x')).toHaveLength(64);
    spy.mockRestore();
  });

  // Tenancy is by exact strings: what looks alike is not the same.
  it.each([
    ['é', 'e\u0301', 'composed and decomposed'],
    ['Å', '\u212b', 'a letter and a sign that normalise to it'],
    ['ﬁ', 'fi', 'a ligature'],
    ['tenant', 'Tenant', 'case'],
    ['tenant', 'tenant ', 'a space behind'],
    ['tenant', ' tenant', 'a space in front'],
    ['tenant', '\ufefftenant', 'a byte order mark'],
    ['tenant', 'tenant\u200b', 'a space without width'],
    ['tenant', 'ten\u00adant', 'a soft hyphen'],
    ['tenant', 'tenаnt', 'a Cyrillic letter'],
    ['tenant', 'tenant\0', 'a NUL'],
    ['1', '１', 'a fullwidth digit'],
    ['ß', 'ss', 'case folding'],
    ['\ud800', '\udfff', 'halves of characters'],
    ['\ud800', '\ufffd', 'half a character and the replacement character'],
    ['', ' ', 'nothing and a space'],
    ['a:b', 'a::b', 'separators'],
    ['a/b', 'a\\b', 'slashes'],
    ['"', '\\"', 'quotes'],
    ['%41', 'A', 'escapes'],
  ])('differ for %j and %j: %s', async (one, other) => {
    const [a, b] = [keysOf({ namespace: one }), keysOf({ namespace: other })];
    const [first, second] = await Promise.all([a.key('x'), b.key('x')]);
    expect(first.slice(0, 16)).not.toBe(second.slice(0, 16));
    expect(first.slice(16)).not.toBe(second.slice(16));
    const keys = keysOf();
    expect(await keys.key('id', one)).not.toBe(await keys.key('id', other));
    expect(await keys.open(second, await keys.seal(first, 'text', later))).toBeUndefined();
    const [keysOfOne, keysOfOther] = [one, other].map((part) =>
      storeKeys(`${secret}${part}`, namespace),
    );
    expect(await keysOfOne?.key('x')).not.toBe(await keysOfOther?.key('x'));
  });
});
