import type { CallToFit } from '../../../src/fitting/fit-prompt.ts';
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
      ...policy,
    },
  };
}
