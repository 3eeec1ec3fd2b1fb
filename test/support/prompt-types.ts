import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Message } from '../../src/index.ts';

/** What a middleware is given. */
export type CallOptions = LanguageModelV4CallOptions;
export type Prompt = CallOptions['prompt'];
export type SystemMessage = Extract<Message, { role: 'system' }>;
export type UserMessage = Extract<Message, { role: 'user' }>;
export type AssistantMessage = Extract<Message, { role: 'assistant' }>;
export type ToolMessage = Extract<Message, { role: 'tool' }>;
