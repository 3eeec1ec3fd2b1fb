import type { LanguageModelV4 } from '@ai-sdk/provider';

function refuse(): never {
  throw new Error('No model is called here.');
}

/** Names a model whose tokens are o200k; calling it is an error. */
export const unusedModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'openai',
  modelId: 'gpt-5-mini',
  supportedUrls: {},
  doGenerate: refuse,
  doStream: refuse,
};
