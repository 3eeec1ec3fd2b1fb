import { expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import type { StateDialect } from '../../../src/prompt/message-state.ts';
import { atomicGroups } from '../../../src/selection/conversation-view.ts';
import { keptMessages } from '../../../src/selection/kept-messages.ts';
import { assistant, call, results, system, user } from '../../support/prompt-messages.ts';

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
