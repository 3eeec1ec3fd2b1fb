import type { LanguageModelV4 } from '@ai-sdk/provider';

/** A model that a conversation can be held with. */
export interface ModelEntry {
  readonly id: string;
  readonly name: string;
}

interface Provider extends ModelEntry {
  readonly isConfigured: () => boolean;
  /** @param contextLength - Tokens the conversation is limited to. */
  readonly model: (contextLength: number) => Promise<LanguageModelV4>;
}

const names = {
  openai: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
  anthropic: process.env['ANTHROPIC_MODEL'] ?? 'claude-haiku-4-5',
  google: process.env['GOOGLE_MODEL'] ?? 'gemini-3-flash',
  gateway: process.env['AI_GATEWAY_MODEL'] ?? 'openai/gpt-5-mini',
  local: process.env['LOCAL_MODEL'] ?? 'default',
};
const wordsPerSecond = Number(process.env['EMBEDDED_WORDS_PER_SECOND'] ?? 60);

/** The first that has a key is used where none is chosen. The last needs neither a key nor a network. */
const providers: readonly Provider[] = [
  {
    id: 'openai',
    name: `OpenAI ${names.openai}`,
    isConfigured: () => isSet('OPENAI_API_KEY'),
    model: async () => (await import('@ai-sdk/openai')).openai(names.openai),
  },
  {
    id: 'anthropic',
    name: `Anthropic ${names.anthropic}`,
    isConfigured: () => isSet('ANTHROPIC_API_KEY'),
    model: async () => (await import('@ai-sdk/anthropic')).anthropic(names.anthropic),
  },
  {
    id: 'google',
    name: `Google ${names.google}`,
    isConfigured: () => isSet('GOOGLE_GENERATIVE_AI_API_KEY'),
    model: async () => (await import('@ai-sdk/google')).google(names.google),
  },
  {
    id: 'gateway',
    name: `Gateway ${names.gateway}`,
    isConfigured: () => isSet('AI_GATEWAY_API_KEY'),
    model: async () => (await import('ai')).gateway(names.gateway),
  },
  {
    id: 'local',
    name: `Local ${names.local}`,
    isConfigured: () => isSet('LOCAL_BASE_URL'),
    model: async () => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const baseURL = process.env['LOCAL_BASE_URL'] ?? '';
      return createOpenAICompatible({ name: 'local', baseURL })(names.local);
    },
  },
  {
    id: 'embedded',
    name: 'Embedded model, offline',
    isConfigured: () => true,
    model: async (contextLength) => {
      const { embeddedModel } = await import('../embedded-model/embedded-model.ts');
      const { chatPersona } = await import('../embedded-model/chat-persona.ts');
      return embeddedModel(contextLength, { persona: chatPersona, wordsPerSecond });
    },
  },
];

/** The models that a key is set for, and the embedded one. */
export function listModels(): readonly ModelEntry[] {
  return configured().map(({ id, name }) => ({ id, name }));
}

/** The model of an id, else the first. */
export async function modelOf(id: string, contextLength: number): Promise<LanguageModelV4> {
  const all = configured();
  const provider = all.find((entry) => entry.id === id) ?? all[0];
  if (provider === undefined) throw new Error('There is no model.');
  return await provider.model(contextLength);
}

function configured(): readonly Provider[] {
  return providers.filter(({ isConfigured }) => isConfigured());
}

function isSet(name: string): boolean {
  return Boolean(process.env[name]);
}
