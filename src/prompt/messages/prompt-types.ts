import type { LanguageModelV4Message } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';

// Public types are those of `ai`, so that one package serves every version of the provider's specification.
type MiddlewareCall = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0];

/** The parameters of one model call, as a language-model middleware receives them. */
export type CallOptions = MiddlewareCall['params'];

/** A model as a language-model middleware receives it: the one it wraps. */
export type WrappedModel = MiddlewareCall['model'];

/** The mutable array type the SDK asks for; inside the package prompts are `readonly Message[]`. */
export type Prompt = CallOptions['prompt'];

/**
 * One message of a model call, in the provider-level form of AI SDK 7. Messages of AI SDK 6, which differ in files, are
 * read and passed on in this form too.
 */
export type Message = LanguageModelV4Message;

export type SystemMessage = Extract<Message, { role: 'system' }>;
export type UserMessage = Extract<Message, { role: 'user' }>;
export type AssistantMessage = Extract<Message, { role: 'assistant' }>;
export type ToolMessage = Extract<Message, { role: 'tool' }>;

/** The part of a model that names it; enough to look up limits, rules and overrides. */
export interface ModelIdentity {
  /** Provider id as the SDK reports it, such as `openai.responses`. */
  readonly provider: string;
  /** Model id as the SDK reports it, such as `gpt-5-mini`. */
  readonly modelId: string;
}
