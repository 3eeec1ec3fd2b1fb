import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createCohere } from '@ai-sdk/cohere';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogle } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { createXai } from '@ai-sdk/xai';
import { anthropicApi } from './apis/anthropic.ts';
import { bedrockApi, strictBedrockApi } from './apis/bedrock.ts';
import {
  cohereApi,
  deepseekApi,
  groqApi,
  mistralApi,
  openaiChatApi,
  strictTemplateApi,
} from './apis/chat.ts';
import { googleApi } from './apis/google.ts';
import { openaiResponsesApi } from './apis/responses.ts';
import type { ProviderSettings } from './apis/served.ts';
import type { WireApi } from './apis/wire-api.ts';
import {
  anthropicConversations,
  type Conversation,
  conversationsIn,
  type Feature,
  responsesConversations,
} from './conversations/conversations.ts';
import {
  anthropicDialect,
  bedrockDialect,
  chatDialect,
  type Dialect,
  gemmaDialect,
  googleDialect,
  mistralDialect,
  responsesDialect,
} from './conversations/dialects.ts';

/** Where the middleware may put a summary. */
export type WirePlacement = 'auto' | 'system' | 'system-merged' | 'user';

/** A real provider package and the API that stands in for its service. */
export interface WireProvider {
  readonly name: string;
  /** Name of the package without its scope. */
  readonly packageName: string;
  readonly api: WireApi;
  readonly create: (settings: ProviderSettings) => LanguageModelV4;
  /** Placements that the provider takes; `'system'` is not one of them before a strict template. */
  readonly placements: readonly WirePlacement[];
  readonly dialect: Dialect;
  /** What is not legal for the provider. */
  readonly lacks: readonly Feature[];
  /** Every canonical conversation that is legal for the provider as it stands. */
  readonly conversations: readonly Conversation[];
}

/** A provider under test, with the canonical conversations as far as they are legal, and its own. */
function provided(
  name: string,
  api: WireApi,
  create: WireProvider['create'],
  {
    packageName = name,
    dialect = chatDialect,
    lacks = [],
    own = [],
    placements = ['auto', 'system', 'system-merged', 'user'],
  }: Partial<WireProvider> & { readonly own?: readonly Conversation[] } = {},
): WireProvider {
  const conversations = [...conversationsIn(dialect), ...own].filter(
    ({ needs }) => needs === undefined || !lacks.includes(needs),
  );
  return { name, packageName, api, create, placements, dialect, lacks, conversations };
}

/** The providers under test. */
export const wireProviders: readonly WireProvider[] = [
  provided(
    'openai.responses',
    openaiResponsesApi,
    (settings) => createOpenAI(settings).responses('gpt-6-luna'),
    {
      packageName: 'openai',
      dialect: responsesDialect,
      own: responsesConversations,
    },
  ),
  provided(
    'openai.chat',
    openaiChatApi,
    (settings) => createOpenAI(settings).chat('gpt-4.1-mini'),
    { packageName: 'openai' },
  ),
  provided(
    'anthropic',
    anthropicApi,
    (settings) => createAnthropic(settings)('claude-sonnet-4-5'),
    { dialect: anthropicDialect, lacks: ['late-system'], own: anthropicConversations },
  ),
  provided(
    'anthropic with system messages in mid conversation',
    anthropicApi,
    (settings) => createAnthropic(settings)('claude-opus-4-8'),
    {
      packageName: 'anthropic',
      dialect: anthropicDialect,
    },
  ),
  provided(
    'google gemini',
    googleApi,
    (settings) => createGoogle(settings)('gemini-3-pro-preview'),
    { packageName: 'google', dialect: googleDialect, lacks: ['prefill', 'late-system'] },
  ),
  provided('google gemma', googleApi, (settings) => createGoogle(settings)('gemma-3-27b-it'), {
    packageName: 'google',
    dialect: gemmaDialect,
    lacks: ['prefill', 'pdf', 'late-system'],
  }),
  provided(
    'amazon-bedrock with Claude',
    bedrockApi,
    (settings) => createAmazonBedrock(settings)('us.anthropic.claude-sonnet-4-5-20250929-v1:0'),
    { packageName: 'amazon-bedrock', dialect: bedrockDialect, lacks: ['late-system'] },
  ),
  provided(
    'amazon-bedrock with Llama',
    strictBedrockApi,
    (settings) => createAmazonBedrock(settings)('meta.llama3-3-70b-instruct-v1:0'),
    {
      packageName: 'amazon-bedrock',
      dialect: { callId: bedrockDialect.callId },
      lacks: ['user-after-tool', 'late-system'],
    },
  ),
  provided('mistral', mistralApi, (settings) => createMistral(settings)('mistral-large-latest'), {
    dialect: mistralDialect,
    lacks: ['user-after-tool'],
  }),
  provided('deepseek', deepseekApi, (settings) => createDeepSeek(settings)('deepseek-chat'), {
    lacks: ['image', 'pdf'],
  }),
  provided('groq', groqApi, (settings) => createGroq(settings)('llama-3.3-70b-versatile'), {
    lacks: ['pdf'],
  }),
  provided('xai', openaiResponsesApi, (settings) => createXai(settings)('grok-4'), {
    lacks: ['pdf'],
  }),
  provided('cohere', cohereApi, (settings) => createCohere(settings)('command-a-03-2025'), {
    lacks: ['image', 'pdf'],
  }),
  provided(
    'openai-compatible with a strict template',
    strictTemplateApi,
    (settings) =>
      createOpenAICompatible({
        name: 'selfhosted',
        ...settings,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })('qwen3-32b'),
    {
      packageName: 'openai-compatible',
      placements: ['auto', 'system-merged', 'user'],
      lacks: ['several-systems', 'late-system', 'user-run', 'user-after-tool'],
    },
  ),
];

/** The models under test of one provider package. */
export function providersOf(packageName: string): WireProvider[] {
  return wireProviders.filter((provider) => provider.packageName === packageName);
}

/** A provider under test. */
export function providerOf(name: string): WireProvider {
  const provider = wireProviders.find((candidate) => candidate.name === name);
  if (provider === undefined) throw new Error(`No provider ${name}.`);
  return provider;
}
