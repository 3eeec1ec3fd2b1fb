import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import type { StateDialect } from '../../../src/prompt/message-state.ts';
import { atomicGroups } from '../../../src/selection/conversation-view.ts';
import { carriedState, keptMessages } from '../../../src/selection/kept-messages.ts';
import { assistant, call, result, user } from '../../support/prompt-messages.ts';

type Options = NonNullable<Message['providerOptions']>;

const state = (providerOptions: Options, content = ''): Message => ({
  role: 'system',
  content,
  providerOptions,
});
const openai = (options: Options[string]): Message => state({ openai: options });
const anthropic = (options: Options[string]): Message => state({ anthropic: options });
const searched = assistant('', call('c1'));
const loading = (providerOptions: Options): Message => ({
  role: 'tool',
  content: [{ ...result('c1'), providerOptions }],
});
const crm = (name: string) => ({ type: 'namespace', name: 'crm', tools: [{ name }] });
const add = (toolName: string) => ({ type: 'tool_addition', toolName });
const remove = (toolName: string) => ({ type: 'tool_removal', toolName });
const define = (name: string, version = 1) => ({
  type: 'tool_addition',
  tool: { type: 'function', name, version },
});
const declared = (name: string, deferLoading: boolean): LanguageModelV4FunctionTool => ({
  type: 'function',
  name,
  inputSchema: {},
  providerOptions: { anthropic: { deferLoading } },
});
const tools = [declared('loaded', false), declared('deferred', true)];

interface Case {
  readonly name: string;
  readonly dialect: StateDialect | undefined;
  readonly covered: readonly Message[];
  /** @default a user message and an answer */
  readonly tail?: readonly Message[];
  readonly pinned?: readonly number[];
  readonly ahead?: object;
  readonly behind?: object;
  readonly last?: object;
}

const cases: readonly Case[] = [
  {
    name: 'merges updates, the last of each wins',
    dialect: 'openai',
    covered: [
      openai({ reasoningEffortUpdate: 'high' }),
      user('1'),
      openai({ textFormatUpdate: { type: 'text' } }),
      user('2'),
      openai({ reasoningEffortUpdate: 'low' }),
    ],
    ahead: { openai: { reasoningEffortUpdate: 'low', textFormatUpdate: { type: 'text' } } },
  },
  {
    name: 'sends loaded tools again, the last definition of a name and all of a namespace',
    dialect: 'openai',
    covered: [
      openai({ additionalTools: [{ type: 'function', name: 'a', version: 1 }, crm('find')] }),
      user('1'),
      searched,
      loading({ openai: { additionalTools: [{ type: 'function', name: 'a' }, crm('rename')] } }),
    ],
    last: {
      openai: {
        additionalTools: [
          { type: 'function', name: 'a' },
          { type: 'namespace', name: 'crm', tools: [{ name: 'find' }, { name: 'rename' }] },
        ],
      },
    },
  },
  {
    name: "reads Azure's own options first and writes them",
    dialect: 'azure',
    covered: [
      state({ azure: { reasoningEffortUpdate: 'low' }, openai: { reasoningEffortUpdate: 'high' } }),
      user('1'),
      searched,
      loading({ openai: { additionalTools: [{ type: 'function', name: 'a' }] } }),
    ],
    ahead: { azure: { reasoningEffortUpdate: 'low' } },
    last: { azure: { additionalTools: [{ type: 'function', name: 'a' }] } },
  },
  {
    name: 'takes nothing from options of another shape',
    dialect: 'openai',
    covered: [
      openai({ additionalTools: 'all' }),
      user('1'),
      searched,
      loading({ openai: { additionalTools: [null, 'a', ['b']] } }),
    ],
  },
  {
    name: 'carries nothing for a provider that knows no such options',
    dialect: undefined,
    covered: [
      openai({ reasoningEffortUpdate: 'high' }),
      anthropic({ effort: 'high' }),
      user('1'),
      searched,
      loading({ openai: { additionalTools: [{ type: 'function', name: 'a' }] } }),
    ],
  },
  {
    name: 'puts an effort of earlier turns ahead and one of the turn that goes on behind',
    dialect: 'anthropic',
    covered: [
      anthropic({ effort: 'low' }),
      user('1'),
      anthropic({ effort: 'max' }),
      assistant('2'),
      user('3'),
      anthropic({ effort: 'high' }),
    ],
    tail: [assistant('4'), user('5')],
    ahead: { anthropic: { effort: 'max' } },
    behind: { anthropic: { effort: 'high' } },
  },
  {
    name: 'takes the effort of an instruction',
    dialect: 'anthropic',
    covered: [user('1'), state({ anthropic: { effort: 'high' } }, 'Be careful.'), assistant('2')],
    ahead: { anthropic: { effort: 'high' } },
  },
  {
    name: 'sends what is left of changes of tools',
    dialect: 'anthropic',
    covered: [
      user('1'),
      anthropic({ toolChanges: [add('deferred'), remove('loaded'), define('new')] }),
      assistant('2'),
      user('3'),
      anthropic({ toolChanges: [define('new', 2)] }),
      assistant('4'),
    ],
    behind: { anthropic: { toolChanges: [add('deferred'), remove('loaded'), define('new', 2)] } },
  },
  {
    name: 'forgets changes of tools that undo each other',
    dialect: 'anthropic',
    covered: [
      user('1'),
      anthropic({ toolChanges: [add('deferred'), remove('loaded'), define('new')] }),
      assistant('2'),
      user('3'),
      anthropic({ toolChanges: [remove('deferred'), add('loaded'), remove('new')] }),
      assistant('4'),
    ],
  },
];

describe('carriedState', () => {
  it.each(cases)('$name', ({ dialect, covered, tail, pinned = [], ahead, behind, last }) => {
    const conversation = [...covered, ...(tail ?? [user('next'), assistant('answer')])];
    const input = {
      conversation,
      groups: atomicGroups(conversation),
      cut: covered.length,
      pinned: new Set(pinned),
      dialect,
      tools,
    };
    const message = (providerOptions: object | undefined): unknown =>
      providerOptions && { role: 'system', content: '', providerOptions };
    expect(carriedState(input, keptMessages(input))).toEqual({
      ahead: message(ahead),
      behind: message(behind),
      last: message(last),
    });
  });

  it('keeps an earlier answer with its question where a change of tools would end the prompt', () => {
    const change = anthropic({ toolChanges: [add('deferred')] });
    const conversation = [user('1'), change, assistant('2'), user('3'), assistant('4'), user('5')];
    const groups = atomicGroups(conversation);
    const input = { conversation, groups, cut: 5, pinned: new Set<number>(), tools };
    expect(keptMessages({ ...input, dialect: 'anthropic' }).indexes).toEqual([3, 4]);
  });
});
