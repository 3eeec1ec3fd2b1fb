import { expect, it } from 'vitest';
import type { Message } from '../../../../src/index.ts';
import type { StateDialect } from '../../../../src/prompt/messages/message-state.ts';
import { atomicGroups } from '../../../../src/planning/selection/conversation-view.ts';
import { keptMessages } from '../../../../src/planning/selection/kept-messages.ts';
import {
  assistant,
  call,
  result,
  results,
  system,
  thought,
  user,
} from '../../../support/prompt-messages.ts';

const hosted = { providerExecuted: true };
const called = { providerOptions: { anthropic: { caller: { type: 'code', toolId: 'code' } } } };
const approval = { type: 'tool-approval-response', approvalId: 'a', approved: true } as const;
const [u, a] = [user('a'), assistant('b')];
const calls = (...ids: readonly string[]): Message => assistant('', ...ids.map((id) => call(id)));
const ofProvider = assistant('', call('1', hosted));
const [code, byCode] = [assistant('', call('code', hosted)), assistant('', call('1', called))];
const approved: Message = { role: 'tool', content: [approval, result('1')] };
const late = assistant('c', result('1'));

// Where a conversation may be cut, and the first call that is not answered.
it.each<[string, readonly Message[], readonly number[], number?]>([
  ['plain chat may be cut anywhere', [u, a, u, a], [1, 2, 3]],
  ['an empty conversation has no cut', [], []],
  ['parallel calls stay together', [u, calls('1', '2'), results('1', '2'), u], [1, 3]],
  ['steps may be parted', [u, calls('1'), results('1'), calls('2'), results('2')], [1, 3]],
  ['an approval stays with its call', [u, calls('1'), approved, u], [1, 3]],
  ['a hosted result binds nothing', [u, assistant('b', call('1', hosted), result('1')), u], [1, 2]],
  ['a later one binds all between', [u, ofProvider, u, late, u], [1, 4]],
  ['a provider may keep it to itself', [u, assistant('b', call('1', hosted)), u, a], [1, 2, 3]],
  [
    'calls made from code stay with it',
    [u, code, byCode, results('1'), assistant('b', result('code')), u],
    [1, 5],
  ],
  ['reasoning stays with what it produced', [u, assistant('', thought()), a, u], [1, 3]],
  ['a system message may be cut off', [u, system('b'), a, u], [1, 2, 3]],
  ['an unanswered call bars the way', [u, a, u, calls('1')], [1, 2, 3], 3],
  ['a half-answered batch too', [u, calls('1', '2'), results('1'), u], [1, 3], 1],
  [
    'ids that are used again belong to the latest call',
    [u, calls('1'), results('1'), u, calls('1'), results('1'), u],
    [1, 3, 4, 6],
  ],
])('%s', (_name, conversation, boundaries, firstUnanswered = conversation.length) => {
  expect(atomicGroups(conversation)).toMatchObject({ boundaries, firstUnanswered });
});

it('both ends of a group are found, and the users around a message', () => {
  const groups = atomicGroups([u, calls('1'), results('1'), u]);
  expect([0, 1, 2, 3].map(groups.startOf)).toEqual([0, 1, 1, 3]);
  expect([0, 1, 2, 3].map(groups.endOf)).toEqual([1, 3, 3, 4]);
  const { lastUserAt, nextUserFrom } = atomicGroups([a, u, a, u]);
  expect([0, 1, 2, 3].map(lastUserAt)).toEqual([undefined, 1, 1, 3]);
  expect([0, 1, 2, 4].map(nextUserFrom)).toEqual([1, 1, 3, undefined]);
});

it('thousands of calls may wait, and results may all come late', () => {
  const ids = Array.from({ length: 150_000 }, (_, index) => `${index}`);
  const waiting = ids.map((id) => calls(id));
  expect(atomicGroups(waiting).firstUnanswered).toBe(0);
  const answered = atomicGroups([...waiting, ...ids.map((id) => results(id)), u]);
  expect(answered.boundaries).toEqual([300_000]);
  expect([answered.startOf(299_999), answered.endOf(0)]).toEqual([0, 300_000]);
});

const chat = [user('0'), assistant('1'), user('2'), assistant('3'), user('4'), assistant('5')];
const step = (id: string): Message[] => [assistant('', call(id)), results(id)];
const loop = [user('0'), ...step('1'), ...step('2'), ...step('3')];
const closed = [...loop, user('7'), assistant('8')];
const timed: Message = {
  ...system('Soon.'),
  providerOptions: { anthropic: { clearAt: 'next_user_message' } },
};
const inTurn = [user('0'), timed, assistant('2'), user('3'), assistant('4')];
const told = [...chat, system('6'), user('7')];
const toldTwice = [user('0'), system('1'), system('2'), assistant('3')];
const reminded = [user('a'), system('b'), assistant('c'), user('d')];
const ruled = [user('0'), system('Be brief.'), assistant('2'), user('3'), system('Be thorough.')];
const instructed = [...ruled, ...step('c1'), assistant('7')];

it.each<[string, readonly Message[], number, number[], number[], StateDialect?]>([
  ['needs no anchor before a user message', chat, 4, [], []],
  ['anchors the message that a long loop answers', loop, 5, [], [0]],
  ['keeps system messages of mid-conversation', reminded, 3, [1], [1]],
  ['keeps a pinned answer with its question, once', chat, 4, [0, 1], [0, 1]],
  ['keeps a pinned result, its group and turn', closed, 7, [2], [0, 1, 2, 5, 6]],
  ['puts system messages of earlier turns ahead', instructed, 5, [2], [1, 0, 2, 3, 4]],
  ['has nothing to do for pins in the tail and beyond', chat, 2, [3, 99, -3], []],
  ['closes the turn of a pinned result where it ended', closed, 8, [1, 2], [0, 1, 2, 5, 6, 7]],
  ['leaves that open which goes on', loop, 5, [2], [0, 1, 2]],
  ['closes one ahead of what the system says', told, 7, [4], [6, 4, 5]],
  ['looks past what the system says next', toldTwice, 2, [], [0, 1]],
  ['keeps what Anthropic is told for a turn', inTurn, 2, [], [0, 1], 'anthropic'],
  ['and no longer', inTurn, 3, [], [], 'anthropic'],
  ['but for others, who do not know of it', inTurn, 3, [], [1]],
])('keptMessages %s', (_name, conversation, cut, pins, indexes, dialect) => {
  const groups = atomicGroups(conversation);
  const input = { conversation, groups, cut, pinned: new Set(pins), dialect, tools: [] };
  expect(keptMessages(input).indexes).toEqual(indexes);
});
