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
import type { Conversation, Feature } from './conversations/conversation.ts';
import { conversationsIn } from './conversations/conversations.ts';
import type { Dialect } from './conversations/dialect.ts';
import {
  anthropicDialect,
  bedrockDialect,
  chatDialect,
  gemmaDialect,
  googleDialect,
  mistralDialect,
  responsesDialect,
} from './conversations/dialects.ts';
import {
  anthropicConversations,
  lateSystemConversations,
  responsesConversations,
} from './conversations/special-conversations.ts';
import {
  anthropicStateConversations,
  responsesStateConversations,
} from './conversations/state-conversations.ts';
import { anthropicApi } from './servers/anthropic.ts';
import { bedrockApi, strictBedrockApi } from './servers/bedrock.ts';
import {
  deepseekApi,
  groqApi,
  mistralApi,
  openaiChatApi,
  strictTemplateApi,
} from './servers/chat-completions.ts';
import { cohereApi } from './servers/cohere.ts';
import { googleApi } from './servers/google.ts';
import { openaiResponsesApi } from './servers/openai-responses.ts';
import type { WireApi } from './servers/wire-api.ts';

/** Where the middleware may put a summary. */
export type WirePlacement = 'auto' | 'system' | 'system-merged' | 'user';

/** A real provider package and the API that stands in for its service. */
export interface WireProvider {
  readonly name: string;
  /** Name of the package without its scope. */
  readonly packageName: string;
  readonly api: WireApi;
  readonly createModel: (baseURL: string) => LanguageModelV4;
  /** Placements that the provider takes; `'system'` is not one of them before a strict template. */
  readonly placements: readonly WirePlacement[];
  readonly dialect: Dialect;
  /** What is not legal for the provider. */
  readonly lacks: readonly Feature[];
  /** Every canonical conversation that is legal for the provider as it stands. */
  readonly conversations: readonly Conversation[];
}

const apiKey = 'unused';
const everyPlacement: readonly WirePlacement[] = ['auto', 'system', 'system-merged', 'user'];

/** The conversations of a provider: the canonical ones as far as they are legal, and its own. */
function speaking(
  dialect: Dialect,
  lacks: readonly Feature[],
  own: readonly Conversation[] = [],
): Pick<WireProvider, 'dialect' | 'lacks' | 'conversations'> {
  const conversations = [...conversationsIn(dialect), ...own].filter(({ needs = [] }) =>
    needs.every((feature) => !lacks.includes(feature)),
  );
  return { dialect, lacks, conversations };
}

/** The providers under test. */
export const wireProviders: readonly WireProvider[] = [
  {
    name: 'openai.responses',
    packageName: 'openai',
    api: openaiResponsesApi,
    createModel: (baseURL) => createOpenAI({ baseURL, apiKey }).responses('gpt-6-luna'),
    placements: everyPlacement,
    ...speaking(responsesDialect, [], [...responsesConversations, ...responsesStateConversations]),
  },
  {
    name: 'openai.chat',
    packageName: 'openai',
    api: openaiChatApi,
    createModel: (baseURL) => createOpenAI({ baseURL, apiKey }).chat('gpt-4.1-mini'),
    placements: everyPlacement,
    ...speaking(chatDialect, []),
  },
  {
    name: 'anthropic',
    packageName: 'anthropic',
    api: anthropicApi,
    createModel: (baseURL) => createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5'),
    placements: everyPlacement,
    ...speaking(anthropicDialect, ['late-system'], anthropicConversations),
  },
  {
    name: 'anthropic with system messages in mid conversation',
    packageName: 'anthropic',
    api: anthropicApi,
    createModel: (baseURL) => createAnthropic({ baseURL, apiKey })('claude-opus-4-8'),
    placements: everyPlacement,
    ...speaking(anthropicDialect, [], [...lateSystemConversations, ...anthropicStateConversations]),
  },
  {
    name: 'google gemini',
    packageName: 'google',
    api: googleApi,
    createModel: (baseURL) => createGoogle({ baseURL, apiKey })('gemini-3-pro-preview'),
    placements: everyPlacement,
    ...speaking(googleDialect, ['prefill', 'late-system']),
  },
  {
    name: 'google gemma',
    packageName: 'google',
    api: googleApi,
    createModel: (baseURL) => createGoogle({ baseURL, apiKey })('gemma-3-27b-it'),
    placements: everyPlacement,
    ...speaking(gemmaDialect, ['prefill', 'pdf', 'late-system']),
  },
  {
    name: 'amazon-bedrock with Claude',
    packageName: 'amazon-bedrock',
    api: bedrockApi,
    createModel: (baseURL) =>
      createAmazonBedrock({ baseURL, apiKey })('us.anthropic.claude-sonnet-4-5-20250929-v1:0'),
    placements: everyPlacement,
    ...speaking(bedrockDialect, ['late-system']),
  },
  {
    name: 'amazon-bedrock with Llama',
    packageName: 'amazon-bedrock',
    api: strictBedrockApi,
    createModel: (baseURL) =>
      createAmazonBedrock({ baseURL, apiKey })('meta.llama3-3-70b-instruct-v1:0'),
    placements: everyPlacement,
    ...speaking({ callId: bedrockDialect.callId }, ['user-after-tool', 'late-system']),
  },
  {
    name: 'mistral',
    packageName: 'mistral',
    api: mistralApi,
    createModel: (baseURL) => createMistral({ baseURL, apiKey })('mistral-large-latest'),
    placements: everyPlacement,
    ...speaking(mistralDialect, ['user-after-tool']),
  },
  {
    name: 'deepseek',
    packageName: 'deepseek',
    api: deepseekApi,
    createModel: (baseURL) => createDeepSeek({ baseURL, apiKey })('deepseek-chat'),
    placements: everyPlacement,
    ...speaking(chatDialect, ['image', 'pdf']),
  },
  {
    name: 'groq',
    packageName: 'groq',
    api: groqApi,
    createModel: (baseURL) => createGroq({ baseURL, apiKey })('llama-3.3-70b-versatile'),
    placements: everyPlacement,
    ...speaking(chatDialect, ['pdf']),
  },
  {
    name: 'xai',
    packageName: 'xai',
    api: openaiResponsesApi,
    createModel: (baseURL) => createXai({ baseURL, apiKey })('grok-4'),
    placements: everyPlacement,
    ...speaking(chatDialect, ['pdf']),
  },
  {
    name: 'cohere',
    packageName: 'cohere',
    api: cohereApi,
    createModel: (baseURL) => createCohere({ baseURL, apiKey })('command-a-03-2025'),
    placements: everyPlacement,
    ...speaking(chatDialect, ['image', 'pdf']),
  },
  {
    name: 'openai-compatible with a strict template',
    packageName: 'openai-compatible',
    api: strictTemplateApi,
    createModel: (baseURL) =>
      createOpenAICompatible({
        name: 'selfhosted',
        baseURL,
        apiKey,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })('qwen3-32b'),
    placements: ['auto', 'system-merged', 'user'],
    ...speaking(chatDialect, ['several-systems', 'late-system', 'user-run', 'user-after-tool']),
  },
];

/** The models under test of one provider package. */
export function providersOf(packageName: string): WireProvider[] {
  return wireProviders.filter((provider) => provider.packageName === packageName);
}
