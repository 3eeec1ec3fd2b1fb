import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';

/** One message of a model call, in the AI SDK's provider-level form. */
export type Message = LanguageModelV4Message;

/** The parameters of one model call, as a language-model middleware receives them. */
export type CallOptions = LanguageModelV4CallOptions;

/** The mutable array type the SDK asks for; inside the package prompts are `readonly Message[]`. */
export type Prompt = LanguageModelV4Prompt;

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
