import type { JsonRecord } from './json-view.ts';
import { anthropicMutations } from './mutations/anthropic.ts';
import { bedrockMutations, strictBedrockMutations } from './mutations/bedrock.ts';
import { chatMutations, mistralMutations, strictTemplateMutations } from './mutations/chat.ts';
import { googleMutations } from './mutations/google.ts';
import { responsesMutations } from './mutations/responses.ts';
import { anthropicApi } from './servers/anthropic.ts';
import { bedrockApi, strictBedrockApi } from './servers/bedrock.ts';
import { mistralApi, openaiChatApi, strictTemplateApi } from './servers/chat-completions.ts';
import { googleApi } from './servers/google.ts';
import { openaiResponsesApi } from './servers/openai-responses.ts';
import type { WireApi } from './servers/wire-api.ts';

/** A legal body and what it becomes when one rule is broken. */
export interface MutationSet {
  readonly legal: JsonRecord;
  /** The rule that each illegal body breaks, and the body. */
  readonly illegal: readonly (readonly [rule: string, what: string, body: JsonRecord])[];
}

/** Illegal bodies for every API. */
export const mutationSets: readonly (MutationSet & {
  readonly name: string;
  readonly api: WireApi;
  readonly path: string;
})[] = [
  { name: 'openai.chat', api: openaiChatApi, path: '/chat/completions', ...chatMutations },
  { name: 'openai.responses', api: openaiResponsesApi, path: '/responses', ...responsesMutations },
  { name: 'anthropic', api: anthropicApi, path: '/messages', ...anthropicMutations },
  {
    name: 'google',
    api: googleApi,
    path: '/models/gemini-3-pro-preview:generateContent',
    ...googleMutations,
  },
  { name: 'amazon-bedrock', api: bedrockApi, path: '/model/m/converse', ...bedrockMutations },
  {
    name: 'amazon-bedrock, strict',
    api: strictBedrockApi,
    path: '/model/m/converse',
    ...strictBedrockMutations,
  },
  { name: 'mistral', api: mistralApi, path: '/chat/completions', ...mistralMutations },
  {
    name: 'strict template',
    api: strictTemplateApi,
    path: '/chat/completions',
    ...strictTemplateMutations,
  },
];
