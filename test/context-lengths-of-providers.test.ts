import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contextLengthOf } from '../src/index.ts';

/** What provider packages are called by the SDK, and how the types of their packages list language models. */
const packages = [
  ['openai', 'openai.responses', 'openaiLanguageModelDefinitions'],
  ['anthropic', 'anthropic.messages', 'languageModelDefinitions'],
  ['google', 'google.generative-ai', 'languageModelDefinitions'],
  ['mistral', 'mistral.chat', 'languageModelDefinitions'],
  ['groq', 'groq.chat', 'documentedLanguageModels'],
  ['xai', 'xai.responses', 'XaiResponsesModelId'],
  ['deepseek', 'deepseek.chat', 'DeepSeekChatModelId'],
  ['cohere', 'cohere.chat', 'CohereChatModelId'],
  ['amazon-bedrock', 'amazon-bedrock', 'AmazonBedrockChatModelId'],
  ['gateway', 'gateway', 'GatewayModelId'],
] as const;

/** Models that answer with no text, or read none. */
const ofOtherMedia =
  /audio|banana|embed|image|live|lyria|music|realtime|rerank|speech|tts|transcribe|veo|video|voice/;

/**
 * Ids that the packages list and whose length could not be looked up: 128,000 is assumed for them, or that of the newest
 * listed model of their line, with a warning. One that leaves the list has been looked up; one that joins it is new.
 */
const guesses: Readonly<Record<string, string>> = {
  google: 'aqa',
  mistral: `
    mistral-code-fim-latest mistral-code-latest mistral-vibe-cli-fast mistral-vibe-cli-latest
    mistral-vibe-cli-with-tools
  `,
  groq: `
    llama-guard-3-8b meta-llama/llama-guard-4-12b meta-llama/llama-prompt-guard-2-22m
    meta-llama/llama-prompt-guard-2-86m
  `,
  gateway: `
    callstack/apex elorian/glimpse humansand/ampersand-v0.1 inference-net/schematron-v2-small
    inference-net/schematron-v2-turbo mixedbread/toast-1 paperinstruments/ultramarine-1-flash
    quiverai/arrow-2 quiverai/arrow-2-telos reflection/beam
    reflection/beam-free sakana/namazu scaledown/scaledown-extract-1
    scaledown/scaledown-summarize-1 stealth/glyph-cluster tencent/hy-mt2-lite tencent/hy-mt2-plus
    tencent/hy-mt2-pro
  `,
};

it.each(packages)(
  'contextLengthOf knows the models that @ai-sdk/%s lists',
  (name, provider, list) => {
    const ids = listedIds(name, list);
    expect(ids.length).toBeGreaterThan(3);
    const unknown = ids.filter((modelId) => !contextLengthOf({ provider, modelId }).known);
    expect(unknown).toEqual(guesses[name]?.match(/\S+/g) ?? []);
  },
);

/** Reads ids out of the types of a package: the keys of a declared object, or a union of texts. */
function listedIds(name: string, list: string): readonly string[] {
  const types = readFileSync(`node_modules/@ai-sdk/${name}/dist/index.d.ts`, 'utf8');
  const [, keys] = types.split(`declare const ${list}: {\n`);
  const found =
    keys === undefined
      ? (types.match(new RegExp(`type ${list} = (.*)`))?.[1] ?? '').matchAll(/'([^']+)'/g)
      : (keys.split('\n};')[0] ?? '').matchAll(
          /^ {2}(?:readonly )?'?([^\s':]+(?::[^\s':]+)?)'?: /gm,
        );
  const ids = [...found].map(([, id = '']) => id).filter((id) => !ofOtherMedia.test(id));
  return [...new Set(ids)].toSorted();
}

it('contextLengthOf takes what its siblings take, a model beside other things', () => {
  const model = { provider: 'openai.responses', modelId: 'gpt-5-mini' };
  expect(contextLengthOf({ model })).toEqual(contextLengthOf(model));
  expect(contextLengthOf({ model }).known).toBe(true);
});
