import { describe, expect, it } from 'vitest';
import { historyAtProvider } from '../../../src/prompt/provider-options.ts';
import type { CallOptions } from '../../support/prompt-types.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';
import type { Message } from '../../../src/index.ts';

type ProviderOptions = NonNullable<CallOptions['providerOptions']>;

const compacted: Message = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'So far.', providerOptions: { anthropic: { type: 'compaction' } } },
  ],
};

describe('historyAtProvider', () => {
  it.each<[ProviderOptions, boolean]>([
    [{}, false],
    ...['openai', 'azure'].flatMap((key): [ProviderOptions, boolean][] => [
      [{ [key]: {} }, false],
      [{ [key]: { previousResponseId: 'resp_1' } }, true],
      [{ [key]: { previousResponseId: '' } }, false],
      [{ [key]: { previousResponseId: null } }, false],
      [{ [key]: { conversation: 'conv_1' } }, true],
      [{ [key]: { conversation: '' } }, false],
      [{ [key]: { contextManagement: [{ type: 'compaction' }] } }, true],
      [{ [key]: { contextManagement: [] } }, false],
      [{ [key]: { compactionTrigger: true } }, true],
      [{ [key]: { compactionTrigger: false } }, false],
      [{ [key]: { truncation: 'auto' } }, true],
      [{ [key]: { truncation: 'disabled' } }, false],
    ]),
    [{ xai: { previousResponseId: 'resp_1' } }, true],
    [{ xai: { previousResponseId: '' } }, false],
    [{ xai: { conversation: 'conv_1' } }, false],
    [{ google: { previousInteractionId: 'v1_1' } }, true],
    [{ google: { previousInteractionId: 'v1_1', store: true } }, true],
    [{ google: { previousInteractionId: 'v1_1', store: false } }, false],
    [{ google: { previousInteractionId: null } }, false],
    [{ google: { store: true } }, false],
    [{ anthropic: {} }, false],
    [{ anthropic: { thread: { id: 'thread_1' } } }, true],
    [{ anthropic: { thread: null } }, false],
    [{ anthropic: { compaction: { type: 'auto' } } }, true],
    [{ anthropic: { contextManagement: { edits: [{ type: 'compact_20260112' }] } } }, true],
    [{ anthropic: { contextManagement: { edits: [] } } }, false],
    [{ anthropic: { contextManagement: { edits: null } } }, false],
    [{ anthropic: { contextManagement: {} } }, false],
    [{ anthropic: { contextManagement: null } }, false],
    [{ mistral: { previousResponseId: 'resp_1', thread: 'thread_1' } }, false],
  ])('says of the options %j: %s', (providerOptions, expected) => {
    expect(historyAtProvider({ prompt: [user('Hello.')], providerOptions }) !== undefined).toBe(
      expected,
    );
  });

  it.each<[string, Message, boolean]>([
    ['a compaction of Anthropic', compacted, true],
    [
      'a compaction of OpenAI',
      { role: 'assistant', content: [{ type: 'custom', kind: 'openai.compaction' }] },
      true,
    ],
    [
      'another part of OpenAI',
      { role: 'assistant', content: [{ type: 'custom', kind: 'openai.other' }] },
      false,
    ],
    ['a text', assistant('openai.compaction'), false],
    [
      'a text with another option',
      {
        role: 'assistant',
        content: [{ type: 'text', text: '', providerOptions: { anthropic: { type: 'other' } } }],
      },
      false,
    ],
    [
      'a compaction of Anthropic that failed',
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '', providerOptions: { anthropic: { type: 'compaction' } } },
        ],
      },
      false,
    ],
    [
      'a text with options of another',
      {
        role: 'assistant',
        content: [{ type: 'text', text: '', providerOptions: { openai: { type: 'compaction' } } }],
      },
      false,
    ],
    [
      'reasoning that is called so',
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: '', providerOptions: { anthropic: { type: 'compaction' } } },
        ],
      },
      false,
    ],
    [
      'a text of the user that is called so',
      {
        role: 'user',
        content: [
          { type: 'text', text: '', providerOptions: { anthropic: { type: 'compaction' } } },
        ],
      },
      false,
    ],
    ['a system message', system('Be kind.'), false],
  ])('says of a message whether it is a compaction: %s', (_what, message, expected) => {
    expect(historyAtProvider({ prompt: [message] }) !== undefined).toBe(expected);
    expect(
      historyAtProvider({ prompt: [user('Hello.'), message, user('Go on.')] }) !== undefined,
    ).toBe(expected);
  });

  it('finds a compaction beside other parts', () => {
    const content = [...assistant('First.').content, ...compacted.content];
    expect(historyAtProvider({ prompt: [assistant('Hello.', ...content)] })).toBeDefined();
  });
});
