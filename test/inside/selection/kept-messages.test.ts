import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import type { StateDialect } from '../../../src/prompt/message-state.ts';
import { atomicGroups } from '../../../src/selection/conversation-view.ts';
import { carriedState, keptMessages } from '../../../src/selection/kept-messages.ts';
import { assistant, call, result, results, system, user } from '../../support/prompt-messages.ts';

const chat = [user('0'), assistant('1'), user('2'), assistant('3'), user('4'), assistant('5')];
const step = (id: string): Message[] => [assistant('', call(id)), results(id)];
const loop = [user('0'), ...step('1'), ...step('2'), ...step('3')];
const closed = [...loop, user('7'), assistant('8')];
const timed: Message = {
  ...system('Soon.'),
  providerOptions: { anthropic: { clearAt: 'next_user_message' } },
};
const inTurn = [user('0'), timed, assistant('2'), user('3'), assistant('4')];
const reminded = [user('a'), system('b'), assistant('c'), user('d')];
const ruled = [user('0'), system('Be brief.'), assistant('2'), user('3'), system('Be thorough.')];
const instructed = [...ruled, ...step('c1'), assistant('7')];

describe('keptMessages', () => {
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
    [
      'closes one ahead of what the system says',
      [...chat, system('6'), user('7')],
      7,
      [4],
      [6, 4, 5],
    ],
    [
      'looks past what the system says next',
      [user('0'), system('1'), system('2'), assistant('3')],
      2,
      [],
      [0, 1],
    ],
    [
      'keeps what Anthropic is told for a turn while that lasts',
      inTurn,
      2,
      [],
      [0, 1],
      'anthropic',
    ],
    ['and no longer', inTurn, 3, [], [], 'anthropic'],
    ['but for others, who do not know of it', inTurn, 3, [], [1]],
  ])('%s', (_name, conversation, cut, pins, indexes, dialect) => {
    const groups = atomicGroups(conversation);
    const input = { conversation, groups, cut, pinned: new Set(pins), dialect, tools: [] };
    expect(keptMessages(input).indexes).toEqual(indexes);
  });
});

type Options = NonNullable<Message['providerOptions']>;
type Said = Options[string];

const state = (providerOptions: Options): Message => ({ ...system(''), providerOptions });
const openai = (options: Said): Message => state({ openai: options });
const anthropic = (options: Said): Message => state({ anthropic: options });
const effort = (level: string): Said => ({ reasoningEffortUpdate: level });
const format = { textFormatUpdate: { type: 'text' } };
const loading = (providerOptions: Options): Message[] => [
  user('1'),
  assistant('', call('c1')),
  { role: 'tool', content: [{ ...result('c1'), providerOptions }] },
];
const named = (name: string, more = {}) => ({ type: 'function', name, ...more });
const a = { additionalTools: [named('a')] };
const crm = (...names: readonly string[]) =>
  named('crm', { type: 'namespace', tools: names.map((name) => ({ name })) });
const add = (toolName: string) => ({ type: 'tool_addition', toolName });
const remove = (toolName: string) => ({ type: 'tool_removal', toolName });
const define = (version: number) => ({ type: 'tool_addition', tool: named('new', { version }) });
const changing = (...toolChanges: NonNullable<Said[string]>[]): Message =>
  anthropic({ toolChanges });
const setting = (level: string, ...changes: NonNullable<Said[string]>[]): Message[] => [
  anthropic({ effort: level }),
  changing(...changes),
];
const declared = (name: string, deferLoading: boolean): LanguageModelV4FunctionTool => ({
  type: 'function',
  name,
  inputSchema: {},
  providerOptions: { anthropic: { deferLoading } },
});
const search = { type: 'provider', id: 'anthropic.search', name: 'search', args: {} } as const;
const tools = [declared('loaded', false), declared('deferred', true), search];
const changed = [add('deferred'), remove('loaded'), remove('search')];
const opening = [user('1'), changing(...changed, define(1)), assistant('2'), user('3')];

type Carried = Partial<Record<'ahead' | 'behind' | 'last', Options>>;
const next = [user('next'), assistant('answer')];

describe('carriedState', () => {
  it.each<[string, StateDialect | undefined, readonly Message[], Carried, (readonly Message[])?]>([
    [
      'merges updates, the last of each wins',
      'openai',
      [openai(effort('high')), user('1'), openai(format), user('2'), openai(effort('low'))],
      { ahead: { openai: { ...effort('low'), ...format } } },
    ],
    [
      'sends loaded tools again, the last definition of a name and all of a namespace',
      'openai',
      [
        openai({ additionalTools: [named('a', { version: 1 }), crm('find')] }),
        ...loading({ openai: { additionalTools: [named('a'), crm('rename')] } }),
      ],
      { last: { openai: { additionalTools: [named('a'), crm('find', 'rename')] } } },
    ],
    [
      "reads Azure's own options first and writes them",
      'azure',
      [state({ azure: effort('low'), openai: effort('high') }), ...loading({ openai: a })],
      { ahead: { azure: effort('low') }, last: { azure: a } },
    ],
    [
      'puts an effort of earlier turns ahead and one of the turn that goes on behind',
      'anthropic',
      [
        user('1'),
        ...setting('max', add('deferred')),
        user('4'),
        ...setting('low', remove('loaded'), remove('search')),
      ],
      {
        ahead: { anthropic: { effort: 'max' } },
        behind: { anthropic: { effort: 'low', toolChanges: changed } },
      },
      [assistant('4'), user('5')],
    ],
    [
      'sends what is left of changes of tools',
      'anthropic',
      [...opening, changing(define(2)), assistant('4')],
      { behind: { anthropic: { toolChanges: [...changed, define(2)] } } },
    ],
    [
      'forgets those that undo each other',
      'anthropic',
      [
        ...opening,
        changing(remove('deferred'), add('loaded'), add('search'), remove('new')),
        assistant('4'),
      ],
      {},
    ],
  ])('%s', (_name, dialect, covered, { ahead, behind, last }, tail = next) => {
    const conversation = [...covered, ...tail];
    const groups = atomicGroups(conversation);
    const cut = covered.length;
    const input = { conversation, groups, cut, pinned: new Set<number>(), dialect, tools };
    const [before, after, end] = [ahead, behind, last].map((options) => options && state(options));
    const expected = { ahead: before, behind: after, last: end };
    expect(carriedState(input, keptMessages(input))).toEqual(expected);
  });

  it('keeps an earlier answer with its question where a change of tools would end the prompt', () => {
    const turns = [user('1'), changing(add('deferred')), assistant('2'), user('3'), assistant('4')];
    const conversation = [...turns, user('5')];
    const input = { conversation, groups: atomicGroups(conversation), cut: 5, tools };
    const kept = keptMessages({ ...input, pinned: new Set(), dialect: 'anthropic' });
    expect(kept.indexes).toEqual([3, 4]);
  });
});
