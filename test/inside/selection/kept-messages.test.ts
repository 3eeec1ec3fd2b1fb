import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { atomicGroups } from '../../../src/selection/conversation-view.ts';
import { keptMessages } from '../../../src/selection/kept-messages.ts';
import { assistant, call, results, system, user } from '../../support/prompt-messages.ts';

const chat = [user('0'), assistant('1'), user('2'), assistant('3'), user('4'), assistant('5')];
const loop = [
  user('0'),
  assistant('', call('1')),
  results('1'),
  assistant('', call('2')),
  results('2'),
  assistant('', call('3')),
  results('3'),
];

interface Case {
  readonly name: string;
  readonly conversation: readonly Message[];
  readonly cut: number;
  readonly pinned?: readonly number[];
  readonly anchor: number | undefined;
  readonly indexes: readonly number[];
}

const cases: readonly Case[] = [
  {
    name: 'needs no anchor before a user message',
    conversation: chat,
    cut: 4,
    anchor: undefined,
    indexes: [],
  },
  {
    name: 'anchors the last user message before an assistant message',
    conversation: chat,
    cut: 3,
    anchor: 2,
    indexes: [2],
  },
  {
    name: 'anchors the message that a long loop answers',
    conversation: loop,
    cut: 5,
    anchor: 0,
    indexes: [0],
  },
  {
    name: 'has no anchor without a user message',
    conversation: [assistant('a'), assistant('b')],
    cut: 1,
    anchor: undefined,
    indexes: [],
  },
  {
    name: 'keeps system messages of mid-conversation',
    conversation: [user('a'), system('b'), assistant('c'), user('d')],
    cut: 3,
    anchor: undefined,
    indexes: [1],
  },
  {
    name: 'keeps a pinned user message with the end of its turn',
    conversation: chat,
    cut: 4,
    pinned: [0],
    anchor: undefined,
    indexes: [0, 1],
  },
  {
    name: 'keeps a pinned answer with its question',
    conversation: chat,
    cut: 4,
    pinned: [1],
    anchor: undefined,
    indexes: [0, 1],
  },
  {
    name: 'keeps a pinned result with its whole group, its question and the end of the turn',
    conversation: [...loop, user('7'), assistant('8')],
    cut: 7,
    pinned: [2],
    anchor: undefined,
    indexes: [0, 1, 2, 5, 6],
  },
  {
    name: 'does not close a turn that runs on into the tail',
    conversation: loop,
    cut: 5,
    pinned: [2],
    anchor: 0,
    indexes: [0, 1, 2],
  },
  {
    name: 'keeps two pins of one turn once',
    conversation: chat,
    cut: 4,
    pinned: [0, 1],
    anchor: undefined,
    indexes: [0, 1],
  },
  {
    name: 'puts the texts of earlier system messages ahead, those of the open turn where they were',
    conversation: [
      user('0'),
      system('Be brief.'),
      assistant('2'),
      user('3'),
      system('Be thorough.'),
      assistant('5', call('c1')),
      results('c1'),
      assistant('7'),
    ],
    cut: 5,
    pinned: [2],
    anchor: 3,
    indexes: [1, 0, 2, 3, 4],
  },
  {
    name: 'has nothing to do for a pin in the tail',
    conversation: chat,
    cut: 2,
    pinned: [3, 5],
    anchor: undefined,
    indexes: [],
  },
  {
    name: 'passes over a pin behind the end',
    conversation: chat,
    cut: 4,
    pinned: [99],
    anchor: undefined,
    indexes: [],
  },
  {
    name: 'passes over a pin before the beginning',
    conversation: chat,
    cut: 4,
    pinned: [-3],
    anchor: undefined,
    indexes: [],
  },
];

const plain = { dialect: undefined, tools: [] };

describe('keptMessages', () => {
  it.each(cases)('$name', ({ conversation, cut, pinned = [], anchor, indexes }) => {
    const groups = atomicGroups(conversation);
    const kept = keptMessages({ ...plain, conversation, groups, cut, pinned: new Set(pinned) });
    expect(kept).toMatchObject({ anchor, indexes });
  });

  it('looks at no more messages than there are, however far off a pin is', () => {
    let looks = 0;
    const conversation = new Proxy(chat, {
      get: (target, key) => {
        looks += 1;
        if (looks > 1000) throw new Error('More looks than there are messages.');
        return Reflect.get(target, key) as unknown;
      },
    });
    const groups = atomicGroups(chat);
    const far = [Number.MIN_SAFE_INTEGER, -1_000_000, Number.MAX_SAFE_INTEGER];
    keptMessages({ ...plain, conversation, groups, cut: 4, pinned: new Set(far) });
    expect(looks).toBeLessThan(1000);
  });

  it.each([
    ['in one turn', () => assistant('a')],
    ['in one group', () => results('1')],
    ['in turns of system messages', (index: number) => (index % 2 ? system('b') : user('a'))],
  ])('looks at each message a few times, however many pins are %s', (_name, messageAt) => {
    const looksAt = (count: number): number => {
      const messages = [
        user('0'),
        assistant('', call('1')),
        ...Array.from({ length: count }, (_, index) => messageAt(index)),
        user('next'),
      ];
      let looks = 0;
      const conversation = new Proxy(messages, {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
      const pinned = new Set(messages.keys());
      const groups = atomicGroups(messages);
      keptMessages({ ...plain, conversation, groups, cut: count + 2, pinned });
      return looks;
    };
    expect(looksAt(2000)).toBeLessThan(2.2 * looksAt(1000));
  });
});
