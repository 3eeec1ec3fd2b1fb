import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  canonicalMessage,
  continuedIdentity,
  identifyConversation,
} from '../../../../src/prompt/identity/conversation-identity.ts';
import type { Message } from '../../../../src/index.ts';
import {
  assistant,
  call,
  result,
  results,
  system,
  thought,
  user,
} from '../../../support/prompt-messages.ts';
import { untyped } from '../../../support/untyped.ts';

type FilePart = Extract<Exclude<Message['content'], string>[number], { type: 'file' }>;

/** A user message that is a file. */
const file = (data: FilePart['data'], mediaType = 'image/png'): Message => ({
  role: 'user',
  content: [{ type: 'file', mediaType, data }],
});
const bytes = (...data: readonly number[]): Message =>
  file({ type: 'data', data: Uint8Array.from(data) });
const address = file({ type: 'url', url: new URL('https://a.example/x') });
/** A tool message with one output. */
const output = (value: ReturnType<typeof result>['output']): Message => ({
  role: 'tool',
  content: [{ ...result('1'), output: value }],
});
const error = (value: string): Message => output({ type: 'error-text', value });
const denied = (more = {}): Message => output({ type: 'execution-denied', ...more });
const jsonError = (value: { code: number } | string): Message =>
  output({ type: 'error-json', value });
const json = (value: unknown): Message => output({ type: 'json', value: untyped(value) });
const said = (...texts: readonly string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const optioned: Message = { ...user('a'), providerOptions: { anthropic: { effort: 'low' } } };
const asked = (input: unknown, more = {}): Message => assistant('', call('1', { input, ...more }));
const both = (one: string, other: string): Message => assistant('', call(one), call(other));
const pair = both('1', '2');
const answered = (one: string, other: string): Message => ({
  role: 'tool',
  content: [result('1', one), result('2', other)],
});
/** A call, and an error that answers it. */
const refused = (input: unknown, reason: string): readonly Message[] => [
  asked(input),
  error(`Invalid input for tool read_file: ${reason}`),
];
const unreadable = '{"path": ';
const notParsed = `JSON parsing failed: Text: ${unreadable}.\nError message: Unexpected end.`;
const twice = (one: string, other: string): Message =>
  assistant('', call('1', { input: one }), call('1', { input: other }));
const proto: unknown = JSON.parse('{"__proto__":{"a":1}}');

/** What stands for a value: of texts and lists the length ahead of them. */
const framed = (value: unknown): string => {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (Array.isArray(value)) return `${value.length}[${value.map(framed).join('')}`;
  return `${String(value)};`;
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const digestOf = async (conversation: Message | readonly Message[]): Promise<string> => {
  const messages = [conversation].flat();
  return identifyConversation(messages).prefixDigest(messages.length);
};

type Pair = readonly [string, Message | readonly Message[], Message | readonly Message[]];

const resultOf = (...saying: unknown[]) => ['tool', ['result', 0, 'read_file', saying]];
const aFile = (...saying: unknown[]) => ['user', ['file', ...saying]];
const approval = untyped<Message>({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId: 'y', approved: false, reason: 'g' }],
});
const reference = file({ type: 'reference', reference: { z: '1', a: '2' } }, 'a/b');
const calling = assistant(
  'c',
  call('x', { input: 'ls' }),
  thought(),
  call('1', { input: { a: 1 } }),
);
const several = output({
  type: 'content',
  value: [{ type: 'text', text: 'f' }, { type: 'custom' }],
});

/** Messages, what each of them says, and the calls that it names, as numbers in the conversation. */
const canonical: readonly (readonly [Message, said: unknown[], calls: string])[] = [
  [system('Be brief.'), ['system', 'Be brief.'], ''],
  [said('a', '', 'b'), ['user', 'ab'], ''],
  [bytes(1, 2, 250), aFile('image/png', 'data', 'AQL6'), ''],
  [address, aFile('image/png', 'url', 'https://a.example/x'), ''],
  [reference, aFile('a/b', 'reference', '{"a":"2","z":"1"}'), ''],
  [file({ type: 'text', text: 'b' }), aFile('image/png', 'text', 'b'), ''],
  [
    calling,
    ['assistant', ['call', 0, 'read_file', '"ls"'], ['call', 1, 'read_file', '{"a":1}'], 'c'],
    '0 1',
  ],
  [error('d'), resultOf('error-text', 'd'), '1'],
  [denied(), resultOf('error-text', 'Tool call execution denied.'), '1'],
  [jsonError('no JSON'), resultOf('error-json', '"no JSON"'), '1'],
  [json('"e"'), resultOf('json', '"\\"e\\""'), '1'],
  [several, resultOf('content', 'f', 'custom'), '1'],
  [approval, ['tool', ['approval', 0, false, 'g']], '2'],
];

describe('the digest of a prefix', () => {
  // What stores hold from one release is found by the next.
  it('is that of what its messages say, one after another, and of the calls they name', async () => {
    const messages = canonical.map(([message]) => message);
    const lines = canonical.map(([, line]) => framed(line));
    const ids = new Map<string, number>();
    const around = { ids, errorOf: () => undefined };
    const read = messages.map((message) => canonicalMessage(message, around));
    expect(read).toEqual(canonical.map(([, content, calls]) => ({ content, calls })));
    const all = canonical.map(([, line, calls]) => `${framed(line)}${calls}\n`);
    expect(await digestOf(messages)).toBe(sha256(all.join('')));
    const digests = lines.map((line) => sha256(line).slice(0, 32));
    const { messageDigests } = identifyConversation(messages);
    expect(await messageDigests(2, 4)).toEqual(digests.slice(2, 4));
    expect(await messageDigests(0, lines.length)).toEqual(digests);
  });

  it.each<Pair>([
    ['other options', user('a'), optioned],
    ['an input that was no JSON', refused({}, notParsed), refused(unreadable, notParsed)],
    ['another order of results', [pair, results('1', '2')], [pair, results('2', '1')]],
    ['a reason as an error', denied({ reason: 'a' }), error('a')],
    ['an error in JSON as text', jsonError({ code: 1 }), jsonError('{"code":1}')],
    ['other ids', [pair, results('1', '2')], [both('x', 'y'), results('x', 'y')]],
    ['other key order', asked({ a: { b: 1, c: 2 }, d: 3 }), asked({ d: 3, a: { c: 2, b: 1 } })],
    ['an address as text', address, untyped<Message>(JSON.parse(JSON.stringify(address)))],
  ])('is the same with %s', async (_name, one, other) => {
    expect(await digestOf(other)).toBe(await digestOf(one));
  });

  it.each<Pair>([
    ['a text in two messages', user('ab'), [user('a'), user('b')]],
    ['another half of a character', user('a\ud800'), user('a\ud801')],
    ['a half of a character as JSON', user('a\ud800'), user('"a\\ud800"')],
    ['a text that looks like two messages', user('a\n2[4:user1:b'), [user('a'), user('b')]],
    ['a line break that looks like two', user('a\n["user","b"]'), [user('a'), user('b')]],
    ['another text as input', [asked('ls'), results('1')], [asked('rm'), results('1')]],
    ['one id, other inputs', [twice('ls', 'cd'), results('1')], [twice('ls', 'rm'), results('1')]],
    ['results of other calls', [pair, answered('x', 'y')], [pair, answered('y', 'x')]],
    ['an own __proto__', json(proto), json({})],
  ])('is another one with %s', async (_name, one, other) => {
    expect(await digestOf(other)).not.toBe(await digestOf(one));
  });

  it('is the same whatever was asked for before, or beside, and beyond the end', async () => {
    const messages = Array.from({ length: 3000 }, (_, index) => user(`${index}`));
    const { prefixDigest } = identifyConversation(messages);
    const [first, second] = await Promise.all([prefixDigest(2000), prefixDigest(3001)]);
    const fresh = identifyConversation(messages);
    expect(await fresh.prefixDigest(3000)).toBe(second);
    expect(await fresh.prefixDigest(2000)).toBe(first);
  });
});

it('a conversation counts what is significant, and finds it', () => {
  const conversation = [
    user('a'),
    assistant('', thought()),
    assistant('', call('1')),
    results('1'),
    assistant('', { type: 'custom', kind: 'openai.item' }),
    said(''),
    user('b'),
  ];
  const identity = identifyConversation(conversation);
  const before = [0, 1, 2, 3, 4, 5, 6, 7, 99].map((index) => identity.significantBefore(index));
  expect(before).toEqual([0, 1, 1, 2, 3, 3, 3, 4, 4]);
  const after = [0, 1, 2, 3, 4, 5].map((count) => identity.indexAfter(count));
  expect(after).toEqual([0, 1, 3, 4, 7, undefined]);
});

it('the digest of a window rests on its prefix, its length and what is new, wherever it begins', async () => {
  const prefix = { count: 10, digest: 'd'.repeat(64) };
  const window = [user('a'), assistant('b'), user('c'), assistant('d')];
  const digestOfWindow = (count: number, sent = window, shown = 2, behind = prefix) =>
    continuedIdentity(identifyConversation(sent), shown, behind).prefixDigest(count);
  const others = [
    digestOfWindow(11),
    digestOfWindow(12),
    digestOfWindow(12, window, 2, { ...prefix, digest: 'e'.repeat(64) }),
    digestOfWindow(12, window.with(2, user('C'))),
  ];
  expect(new Set(await Promise.all(others)).size).toBe(4);
  expect(await digestOfWindow(12, window.slice(1), 1)).toBe(await digestOfWindow(12));
  expect(await digestOfWindow(10, window.slice(1), 1)).toBe(prefix.digest);
});
