import { expect, it } from 'vitest';
import { transcriptParts } from '../../../../src/summaries/messages/read-messages.ts';
import { assistant, call } from '../../../support/prompt-messages.ts';

const circular = { a: 1, self: {}, b: 2 };
circular.self = circular;
const shared = { c: 3 };
const deep: unknown = JSON.parse(`${'['.repeat(66)}1${']'.repeat(66)}`);
const longest = 400_000;

it.each<[string, unknown, string]>([
  [
    'JSON',
    { a: 1, b: [true, null, { c: 'x' }], d: {}, e: 2 },
    'a: 1\nb: true, null\nc: x\nd: \ne: 2',
  ],
  ['JSON in a text', '{"a":"b c","d":[1,2]}', 'a: b c\nd: 1, 2'],
  ['a text', '{"a', '{"a'],
  ['a number in a text', '1.0', '1.0'],
  ['what is undefined', { a: undefined, b: 1, c: [undefined, 2] }, 'b: 1\nc: undefined, 2'],
  ['bytes', { a: new Uint8Array(5), b: 1 }, 'a: 5 bytes, b: 1'],
  ['a cycle once', circular, 'a: 1\nself: , b: 2'],
  ['what stands in two places twice', [shared, shared], 'c: 3\nc: 3'],
  ['no more than 64 levels', deep, ''],
  ['the 64th level', Reflect.get(Object(Reflect.get(Object(deep), 0)), 0), '1'],
  ['a long text that is JSON', `["${'a'.repeat(longest - 4)}"]`, 'a'.repeat(longest - 4)],
  ['a longer one as it is', `["${'a'.repeat(longest - 3)}"]`, `["${'a'.repeat(longest - 3)}"]`],
  ['as much as may take time', Array(200_000).fill('abcde'), `abcde${', abcde'.repeat(57_143)}`],
])('reads without its punctuation %s', async (_, input, text) => {
  const message = assistant('', call('1', { input }));
  expect(await transcriptParts([message], undefined, true)).toEqual([
    { index: 0, role: 'assistant', kind: 'call', name: 'read_file', toolCallId: '1', text },
  ]);
});
