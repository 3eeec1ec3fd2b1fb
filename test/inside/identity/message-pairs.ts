import type { Message } from '../../../src/index.ts';
import {
  assistant,
  call,
  result,
  results,
  system,
  thought,
  user,
} from '../../support/prompt-messages.ts';
import { untyped } from '../../support/untyped.ts';

/** A user message that is a file. */
export const file = (
  data: Extract<Exclude<Message['content'], string>[number], { type: 'file' }>['data'],
  mediaType = 'image/png',
): Message => ({
  role: 'user',
  content: [{ type: 'file', mediaType, data }],
});
const withOptions = (message: Message): Message => ({
  ...message,
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
});
/** A tool message with one output. */
const output = (value: Extract<ReturnType<typeof result>['output'], object>): Message => ({
  role: 'tool',
  content: [{ ...result('1'), output: value }],
});

/** A call, and an error that answers it. */
const refused = (input: unknown, error: string): readonly Message[] => [
  assistant('', call('1', { input })),
  output({ type: 'error-text', value: `Invalid input for tool read_file: ${error}` }),
];
const unreadable = '{"path": ';
const notParsed = `JSON parsing failed: Text: ${unreadable}.\nError message: Unexpected end.`;
const notValid = 'Type validation failed: Value: "src".\nError message: Expected object.';

/** Two conversations. */
export interface Pair {
  readonly name: string;
  readonly a: readonly Message[];
  readonly b: readonly Message[];
}

/** The same, although something is different. */
export const samePairs: readonly Pair[] = [
  { name: 'other options', a: [user('a')], b: [withOptions(user('a'))] },
  {
    name: 'options on a part',
    a: [user('a')],
    b: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'a', providerOptions: { openai: { itemId: 'x' } } }],
      },
    ],
  },
  {
    name: 'an input that was no JSON',
    a: refused({}, notParsed),
    b: refused(unreadable, notParsed),
  },
  {
    name: 'an input that was a text in JSON',
    a: refused({}, notValid),
    b: refused('src', notValid),
  },
  {
    name: 'results in the order in which they came',
    a: [assistant('', call('1'), call('2')), results('1', '2')],
    b: [assistant('', call('1'), call('2')), results('2', '1')],
  },
  {
    name: 'a reason as an error',
    a: [output({ type: 'execution-denied', reason: 'a' })],
    b: [output({ type: 'error-text', value: 'a' })],
  },
  {
    name: 'no reason as an error',
    a: [output({ type: 'execution-denied' })],
    b: [output({ type: 'error-text', value: 'Tool call execution denied.' })],
  },
  {
    name: 'an error in JSON as text',
    a: [output({ type: 'error-json', value: { code: 1 } })],
    b: [output({ type: 'error-json', value: '{"code":1}' })],
  },
  { name: 'no reasoning', a: [assistant('a', thought())], b: [assistant('a')] },
  {
    name: 'a text in two parts',
    a: [user('ab')],
    b: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
  },
  {
    name: 'an empty text beside',
    a: [assistant('', call('1'))],
    b: [{ role: 'assistant', content: [{ type: 'text', text: '' }, call('1')] }],
  },
  {
    name: 'other ids',
    a: [assistant('', call('1'), call('2')), results('1', '2')],
    b: [assistant('', call('x'), call('y')), results('x', 'y')],
  },
  {
    name: 'another order of keys',
    a: [assistant('', call('1', { input: { a: 1, b: { c: 2, d: 3 } } }))],
    b: [assistant('', call('1', { input: { b: { d: 3, c: 2 }, a: 1 } }))],
  },
  {
    name: 'an undefined key',
    a: [assistant('', call('1', { input: { a: 1 } }))],
    b: [assistant('', call('1', { input: { a: 1, b: undefined } }))],
  },
  {
    name: 'bytes as base64',
    a: [file({ type: 'data', data: new Uint8Array([1, 2, 250]) })],
    b: [file({ type: 'data', data: 'AQL6' })],
  },
  {
    name: 'an address as text',
    a: [file({ type: 'url', url: new URL('https://a.example/x') })],
    b: [
      untyped(
        JSON.parse(JSON.stringify(file({ type: 'url', url: new URL('https://a.example/x') }))),
      ),
    ],
  },
];

/** Different, although it may not look it. */
export const differentPairs: readonly Pair[] = [
  { name: 'another text', a: [user('a')], b: [user('b')] },
  { name: 'another role', a: [user('a')], b: [assistant('a')] },
  { name: 'a system message', a: [user('a')], b: [system('a')] },
  {
    name: 'a text in two messages',
    a: [user('ab'), assistant('c')],
    b: [user('a'), user('b'), assistant('c')],
  },
  {
    name: 'a line break that looks like two messages',
    a: [user('a\n["user","b"]')],
    b: [user('a'), user('b')],
  },
  {
    name: 'another tool',
    a: [assistant('', call('1'))],
    b: [assistant('', call('1', { toolName: 'write_file' }))],
  },
  {
    name: 'another input',
    a: [assistant('', call('1', { input: { a: 1 } }))],
    b: [assistant('', call('1', { input: { a: '1' } }))],
  },
  {
    name: 'another input that is a text',
    a: [assistant('', call('1', { input: 'ls' })), results('1')],
    b: [assistant('', call('1', { input: 'rm' })), results('1')],
  },
  {
    name: 'an input that is a text, and none',
    a: [assistant('', call('1', { input: 'ls' })), results('1')],
    b: [assistant('', call('1')), results('1')],
  },
  {
    name: 'an input that was no JSON, and another one than the error says',
    a: refused({}, notParsed),
    b: refused('{"path', notParsed),
  },
  {
    name: 'inputs that are texts of calls with one id',
    a: [assistant('', call('1', { input: 'ls' }), call('1', { input: 'cd' })), results('1')],
    b: [assistant('', call('1', { input: 'rm' }), call('1', { input: 'cd' })), results('1')],
  },
  {
    name: 'inputs that are texts of calls with one id, the later one',
    a: [assistant('', call('1', { input: 'ls' }), call('1', { input: 'cd' })), results('1')],
    b: [assistant('', call('1', { input: 'ls' }), call('1', { input: 'rm' })), results('1')],
  },
  {
    name: 'an input that is a text, of a call that the provider has executed',
    a: [assistant('', call('1', { input: 'ls', providerExecuted: true }))],
    b: [assistant('', call('1', { input: 'rm', providerExecuted: true }))],
  },
  {
    name: 'results of other calls',
    a: [
      assistant('', call('1'), call('2')),
      { role: 'tool', content: [result('1', 'x'), result('2', 'y')] },
    ],
    b: [
      assistant('', call('1'), call('2')),
      { role: 'tool', content: [result('2', 'x'), result('1', 'y')] },
    ],
  },
  {
    name: 'another kind of output',
    a: [output({ type: 'text', value: 'a' })],
    b: [output({ type: 'error-text', value: 'a' })],
  },
  {
    name: 'a text that looks like JSON',
    a: [output({ type: 'text', value: '"a"' })],
    b: [output({ type: 'json', value: 'a' })],
  },
  {
    name: 'another reason',
    a: [output({ type: 'execution-denied', reason: 'a' })],
    b: [output({ type: 'execution-denied' })],
  },
  {
    name: 'an own __proto__',
    a: [
      output({
        type: 'json',
        value: untyped(JSON.parse('{"__proto__":{"a":1}}')),
      }),
    ],
    b: [output({ type: 'json', value: {} })],
  },
  {
    name: 'other bytes',
    a: [file({ type: 'data', data: 'AQL6' })],
    b: [file({ type: 'data', data: 'AQL7' })],
  },
  {
    name: 'another media type',
    a: [file({ type: 'data', data: 'AQL6' })],
    b: [file({ type: 'data', data: 'AQL6' }, 'image/gif')],
  },
  {
    name: 'a text file whose text is the base64 of another',
    a: [file({ type: 'data', data: 'AQL6' })],
    b: [file({ type: 'text', text: 'AQL6' })],
  },
  { name: 'different lone surrogates', a: [user('\ud800')], b: [user('\ud801')] },
  { name: 'a composed character', a: [user('\u00e9')], b: [user('e\u0301')] },
];
