import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** What a method works with. */
export interface MethodInput {
  /** The model that answers. */
  readonly model: LanguageModelV4;
  readonly summarizer: LanguageModelV4;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** To be called whenever a summary has been written; says how many tokens it takes, where that is known. */
  readonly onSummary: () => void;
  /** To be called before a prefix is changed on purpose in another way. */
  readonly onChange?: (() => void) | undefined;
}

/** A way to keep a conversation within a model's limit, for one conversation. */
export interface Method {
  readonly name: string;
  /** @returns the model that takes the whole history with every call. */
  readonly open: (input: MethodInput) => LanguageModelV4;
}

/** A model that sends another prompt than it is given. */
export function withPrompt(
  model: LanguageModelV4,
  rewrite: (
    options: LanguageModelV4CallOptions,
  ) => LanguageModelV4CallOptions['prompt'] | Promise<LanguageModelV4CallOptions['prompt']>,
): LanguageModelV4 {
  return {
    ...model,
    doGenerate: async (options) => model.doGenerate({ ...options, prompt: await rewrite(options) }),
  };
}
