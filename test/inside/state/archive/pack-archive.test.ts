import { randomBytes } from 'node:crypto';
import type { LanguageModelV4ToolResultOutput as ToolOutput } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import {
  packArchive,
  packValue,
  unpackArchive,
  unpackValue,
} from '../../../../src/state/archive/pack-archive.ts';
import type { Message } from '../../../../src/prompt/messages/prompt-types.ts';
import { storeKeys } from '../../../../src/state/stores/store-keys.ts';
import { assistant, result, user } from '../../../support/prompt-messages.ts';

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

it('what is packed is the same again: bytes, addresses, texts that look like them', async () => {
  const texts = ['\0', '\0bytes:AAAA', '\0address:a', 'bytes:AAAA'];
  const value = [...texts, new Uint8Array([1, 2]), new URL('https://a.example/b'), { a: [null] }];
  expect(await unpackValue(await packValue(value))).toStrictEqual(value);
  expect(await unpackValue(await packValue([new Date(0)]))).toEqual(['1970-01-01T00:00:00.000Z']);
});

const image = { type: 'file', mediaType: 'image/png' } as const;
const inline = new URL('data:image/png;base64,AAAA');

/** A conversation of which some words are anybody's, and others say what its parts are. */
function saying(word: (text: string) => string, pin: unknown, url: URL): readonly Message[] {
  const use = { toolCallId: word('a1'), toolName: word('read') };
  const resultOf = (output: ToolOutput): Message => ({
    role: 'tool',
    content: [{ type: 'tool-result', ...use, output }],
  });
  return [
    {
      role: 'user',
      content: [
        { ...image, data: { type: 'data', data: 'AAAA' }, filename: word('a.png') },
        { ...image, data: { type: 'url', url: inline } },
        { ...image, data: { type: 'data', data: 'a-b' } },
        { ...image, data: { type: 'url', url } },
      ],
    },
    assistant('', { type: 'tool-call', ...use, input: { [word('pin')]: pin } }),
    resultOf({ type: 'json', value: { [word('type')]: word('a') } }),
    resultOf({ type: 'content', value: [{ type: 'text', text: word('a') }] }),
  ];
}

const messages = saying((text) => text, 4711, new URL('https://a.example/b'));

it('redact reads all of a message but what its parts are, the names of their fields, and bytes', async () => {
  const redact = (text: string): string => text.replaceAll(/[a-z\d]/gi, '*');
  const packed = await packArchive(messages, { redact }, 5_000_000);
  expect(await unpackArchive(packed)).toEqual(saying(redact, '****', new URL('about:blank')));
});

it('redact finds what invisible characters split, and leaves all else exact to the character', async () => {
  const said = [user('hun\u200Bter2, and\r\nmore'), user('no\u200Bthing\r\n')];
  const redact = (text: string): string => text.replaceAll('hunter2', '[password]');
  const kept = await unpackArchive(await packArchive(said, { redact }, 5_000_000));
  expect(kept).toEqual([user('[password], and\nmore'), said[1]]);
});

it('a file is as large as its bytes, wherever they stand; what should be base64 as its characters', async () => {
  const policy = { redact: undefined, maxFileBytes: 2 };
  const nested = [{ ...image, data: { type: 'data', data: 'AAAA' } }];
  const output = { type: 'json', value: ['A picture:', nested] } as const;
  const answer: Message = { role: 'tool', content: [{ ...result('a1'), output }] };
  const packed = await packArchive([...messages, answer], policy, 5_000_000);
  const [said, ...others] = await unpackArchive(packed);
  const replaced = { text: expect.stringContaining('3 bytes') };
  const [, , , kept] = messages[0]?.content ?? [];
  expect(said?.content).toMatchObject([replaced, replaced, replaced, kept]);
  const value = ['A picture:', [replaced]];
  expect(others.at(-1)).toMatchObject({ content: [{ output: { value } }] });
});
