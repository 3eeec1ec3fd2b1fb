import type { CallToFit } from '../../../src/fitting/fit-call.ts';
import type { CountedConversation } from '../../../src/fitting/counted-conversation.ts';
import type { Message } from '../../../src/index.ts';
import { viewConversation } from '../../../src/selection/conversation-view.ts';
import { testMeasure } from './growing-history.ts';
import type { Prompt } from '../../support/prompt-types.ts';

const model = { provider: 'openai.responses', modelId: 'gpt-test' };

/** A call with a prompt that may be too long, of a model whose tokens are those of o200k. */
export async function callToFit(
  prompt: Prompt,
  { pin = [], ...policy }: Partial<CallToFit['policy']> & { readonly pin?: number[] } = {},
): Promise<CallToFit> {
  return {
    prompt,
    composition: undefined,
    view: viewConversation({
      params: { prompt },
      model,
      pinnedMessages: [],
      callOptions: { pin },
      pin: undefined,
      onPinError: () => {},
    }),
    style: { placement: 'system', userTextCharacters: 0 },
    measure: await testMeasure(),
    toolResults: {},
    keyOf: async (count) => `${count}`.padStart(32, '0').padEnd(64, '0'),
    policy: {
      limit: 1000,
      contextLength: 1200,
      tokenMultiplierGiven: true,
      preserveRecent: 2,
      ...policy,
    },
  };
}

/** Characters of what a message says, for tests that count these as its tokens. */
export function charactersOf({ content }: Message): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((total, part) => {
    if (part.type === 'text') return total + part.text.length;
    return part.type === 'tool-result' && part.output.type === 'text'
      ? total + part.output.value.length
      : total;
  }, 0);
}

/** A conversation of which each message is a group, and takes as many tokens as characters. */
export function conversationOf(
  messages: readonly Message[],
  more: Partial<CountedConversation> = {},
): CountedConversation {
  const tokens = messages.map(charactersOf);
  const boundaries = messages.map((_, index) => index);
  return {
    messages,
    tokens,
    history: tokens.reduce((total, each) => total + each, 0),
    fixed: 0,
    start: 0,
    boundaries,
    cuts: boundaries.slice(2, -1),
    kept: () => [],
    keptTokens: () => 0,
    count: async (message) => charactersOf(message),
    pause: () => undefined,
    ...more,
  };
}
