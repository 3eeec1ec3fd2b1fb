import type { LanguageModelV4 } from '@ai-sdk/provider';

interface Provider {
  readonly name: string;
  readonly isConfigured: () => boolean;
  /** @param contextLength - Tokens the conversation is limited to. */
  readonly model: (contextLength: number) => Promise<LanguageModelV4>;
}

const openaiModel = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini';
const anthropicModel = process.env['ANTHROPIC_MODEL'] ?? 'claude-haiku-4-5';
const wordsPerSecond = Number(process.env['EMBEDDED_WORDS_PER_SECOND'] ?? 60);

/** The first that has a key is used. */
const providers: readonly Provider[] = [
  {
    name: `OpenAI ${openaiModel}`,
    isConfigured: () => Boolean(process.env['OPENAI_API_KEY']),
    model: async () => (await import('@ai-sdk/openai')).openai(openaiModel),
  },
  {
    name: `Anthropic ${anthropicModel}`,
    isConfigured: () => Boolean(process.env['ANTHROPIC_API_KEY']),
    model: async () => (await import('@ai-sdk/anthropic')).anthropic(anthropicModel),
  },
];

/** Needs neither a key nor a network, and is as strict about the context length as a real one. */
const embedded: Provider = {
  name: 'Embedded model, offline',
  isConfigured: () => true,
  model: async (contextLength) => {
    const { embeddedModel } = await import('../embedded-model/embedded-model.ts');
    const { chatPersona } = await import('../embedded-model/chat-persona.ts');
    return embeddedModel(contextLength, { persona: chatPersona, wordsPerSecond });
  },
};

/** The provider in use: the first with a key in the environment, else the embedded model. */
export function currentProvider(): Provider {
  return providers.find(({ isConfigured }) => isConfigured()) ?? embedded;
}
