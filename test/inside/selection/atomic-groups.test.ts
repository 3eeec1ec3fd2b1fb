import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { atomicGroups } from '../../../src/selection/conversation-view.ts';
import {
  assistant,
  call,
  result,
  results,
  system,
  thought,
  user,
} from '../../support/prompt-messages.ts';

const hosted = { providerExecuted: true };
const called = { providerOptions: { anthropic: { caller: { type: 'code', toolId: 'code' } } } };
const approval = { type: 'tool-approval-response', approvalId: 'a', approved: true } as const;
const approved: Message = { role: 'tool', content: [approval] };

interface Case {
  readonly name: string;
  readonly conversation: readonly Message[];
  readonly boundaries: readonly number[];
  /** @default the end: every call is answered */
  readonly firstUnanswered?: number;
}

const cases: readonly Case[] = [
  {
    name: 'plain chat may be cut anywhere',
    conversation: [user('a'), assistant('b'), user('c'), assistant('d')],
    boundaries: [1, 2, 3],
  },
  {
    name: 'nothing may be cut in front of the first message',
    conversation: [user('a')],
    boundaries: [],
  },
  { name: 'an empty conversation has no cut', conversation: [], boundaries: [] },
  {
    name: 'a call stays with its result',
    conversation: [user('a'), assistant('', call('1')), results('1'), assistant('b')],
    boundaries: [1, 3],
  },
  {
    name: 'parallel calls stay together',
    conversation: [user('a'), assistant('', call('1'), call('2')), results('1', '2'), user('b')],
    boundaries: [1, 3],
  },
  {
    name: 'results in two tool messages stay with their calls',
    conversation: [
      user('a'),
      assistant('', call('1'), call('2')),
      results('1'),
      results('2'),
      user('b'),
    ],
    boundaries: [1, 4],
  },
  {
    name: 'one step may be cut from the next',
    conversation: [
      user('a'),
      assistant('', call('1')),
      results('1'),
      assistant('', call('2')),
      results('2'),
    ],
    boundaries: [1, 3],
  },
  {
    name: 'an approval stays with its call',
    conversation: [
      user('a'),
      assistant('', call('1')),
      { role: 'tool', content: [approval, result('1')] },
      user('b'),
    ],
    boundaries: [1, 3],
  },
  {
    name: 'an approval of a call that the provider executes stays with call and result',
    conversation: [
      user('a'),
      assistant('', call('1', hosted)),
      approved,
      assistant('b', result('1')),
      user('c'),
    ],
    boundaries: [1, 4],
  },
  {
    name: 'a provider-executed result in its own message binds nothing',
    conversation: [user('a'), assistant('b', call('1', hosted), result('1')), user('c')],
    boundaries: [1, 2],
  },
  {
    name: 'a provider-executed result in a later message binds all between',
    conversation: [
      user('a'),
      assistant('', call('1', hosted)),
      user('b'),
      assistant('c', result('1')),
      user('d'),
    ],
    boundaries: [1, 4],
  },
  {
    name: 'a provider may keep a result to itself',
    conversation: [user('a'), assistant('b', call('1', hosted)), user('c'), assistant('d')],
    boundaries: [1, 2, 3],
  },
  {
    name: 'calls made from code stay with the code',
    conversation: [
      user('a'),
      assistant('', call('code', hosted)),
      assistant('', call('1', called)),
      results('1'),
      assistant('b', result('code')),
      user('c'),
    ],
    boundaries: [1, 5],
  },
  {
    name: 'calls made from code that never returned stay with it, too',
    conversation: [
      user('a'),
      assistant('', call('code', hosted)),
      assistant('', call('1', called)),
      results('1'),
      user('c'),
    ],
    boundaries: [1, 4],
  },
  {
    name: 'reasoning stays with the item it produced',
    conversation: [user('a'), assistant('', thought()), assistant('b'), user('c')],
    boundaries: [1, 3],
  },
  {
    name: 'reasoning that produced nothing stands alone',
    conversation: [user('a'), assistant('', thought()), user('c')],
    boundaries: [1, 2],
  },
  {
    name: 'a system message may be cut off',
    conversation: [user('a'), system('b'), assistant('c'), user('d')],
    boundaries: [1, 2, 3],
  },
  {
    name: 'an unanswered call bars the way',
    conversation: [user('a'), assistant('b'), user('c'), assistant('', call('1'))],
    boundaries: [1, 2, 3],
    firstUnanswered: 3,
  },
  {
    name: 'a half-answered batch bars the way',
    conversation: [user('a'), assistant('', call('1'), call('2')), results('1'), user('b')],
    boundaries: [1, 3],
    firstUnanswered: 1,
  },
  {
    name: 'a provider-executed call at the end waits, too',
    conversation: [user('a'), assistant('', call('1', hosted))],
    boundaries: [1],
    firstUnanswered: 1,
  },
  {
    name: 'ids that are used again belong to the latest call',
    conversation: [
      user('a'),
      assistant('', call('1')),
      results('1'),
      user('b'),
      assistant('', call('1')),
      results('1'),
      user('c'),
    ],
    boundaries: [1, 3, 4, 6],
  },
];

describe('atomicGroups', () => {
  it.each(cases)('$name', ({ conversation, boundaries, firstUnanswered = conversation.length }) => {
    const groups = atomicGroups(conversation);
    expect(groups.boundaries).toEqual(boundaries);
    expect(groups.firstUnanswered).toBe(firstUnanswered);
  });

  it('finds both ends of the group of a message', () => {
    const groups = atomicGroups([user('a'), assistant('', call('1')), results('1'), user('b')]);
    expect([0, 1, 2, 3].map(groups.startOf)).toEqual([0, 1, 1, 3]);
    expect([0, 1, 2, 3].map(groups.endOf)).toEqual([1, 3, 3, 4]);
  });

  it('finds the users around a message', () => {
    const groups = atomicGroups([assistant('a'), user('b'), assistant('c'), user('d')]);
    expect([0, 1, 2, 3].map(groups.lastUserAt)).toEqual([undefined, 1, 1, 3]);
    expect([0, 1, 2, 4].map(groups.nextUserFrom)).toEqual([1, 1, 3, undefined]);
  });

  it('takes thousands of calls that all wait, and results that all come late', () => {
    const ids = Array.from({ length: 150_000 }, (_, index) => `${index}`);
    const calls = ids.map((id) => assistant('', call(id)));
    expect(atomicGroups(calls).firstUnanswered).toBe(0);
    const answered = atomicGroups([...calls, ...ids.map((id) => results(id)), user('next')]);
    expect(answered.boundaries).toEqual([300_000]);
    expect(answered.startOf(299_999)).toBe(0);
    expect(answered.endOf(0)).toBe(300_000);
  });
});
