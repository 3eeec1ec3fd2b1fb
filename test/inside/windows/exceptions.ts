/** Names of models, their context length in tokens, and an input limit where that is smaller. */
type Row = readonly [names: string, contextLength: number, inputLimit?: number];

/** What the data set does not say, or says otherwise than what a model takes. */
export interface Exception {
  readonly rows: readonly Row[];
  /** Whether this holds for all models whose names begin so, whatever the data set says of them. */
  readonly isWhole?: boolean;
}

/** Each group says why it is here; what it rests on was read in the summer of 2026 at the pages of the vendors. */
export const exceptions: readonly Exception[] = [
  // The data set ends at the price step, 272,000; the models take more, which `beyondPriceStep` uses.
  {
    isWhole: true,
    rows: [
      ['gpt-5.4 gpt-5.5 gpt-5.6 gpt-6 gpt-6.1 gpt-6.2', 1_050_000, 922_000],
      ['gpt-5 gpt-5.1 gpt-5.2 gpt-5.3 gpt-5.4-mini gpt-5.4-nano gpt-5.6-cyber', 400_000, 272_000],
      ['gpt-5-chat gpt-5.1-chat gpt-5.1-instant gpt-5.2-chat gpt-5.3-chat', 128_000],
      ['gpt-5.3-codex-spark', 128_000, 100_000],
    ],
  },
  // The hosts that the data set reads differ here: what most take, else the model card.
  {
    rows: [
      ['gpt-3.5', 16_384],
      ['gpt-4 gpt-4-0314', 8192],
      ['qwen-3 qwen-3-32b qwen-3-30b-a3b', 40_960],
      ['qwen-3-235b qwen-3-next qwen-3-vl', 128_000],
      ['qwen-3.8', 256_000],
      ['codestral qwen-3-coder', 256_000],
      ['deepseek deepseek-r1-distill gpt-oss', 128_000],
      ['minimax-m3 minimax-m3.1', 500_000],
      ['gpt-daybreak-blue gpt-astra-latest gpt-luna-latest gpt-sol-latest', 1_050_000, 922_000],
      ['gpt-terra-latest', 1_050_000, 922_000],
      ['glm-4', 128_000],
      ['grok-latest', 500_000],
      ['nova-2-lite', 128_000],
      ['minimax-m2', 200_000],
      ['qwen-3.7-flash qwen-3.7-max qwen-3.8-flash qwen-3.8-max-0902', 990_000],
    ],
  },
  // Retired, or of hosts that the data set does not read.
  {
    rows: [
      ['gpt-3.5-turbo-0301 gpt-3.5-turbo-instruct', 4096],
      ['gpt-4-32k', 32_768],
      ['chatgpt-4o gpt-4-0125 gpt-4-1106 gpt-4-vision gpt-4.5 o1-mini o1-preview', 128_000],
      ['codex-mini', 200_000],
      ['claude-2.0 claude-instant', 100_000],
      ['claude claude-3.7', 200_000],
      ['gemini-2.5-flash-preview-tts gemini-2.5-flash-tts gemini-2.5-pro-preview-tts', 8000],
      ['gemini-2.5-pro-tts gemma-2', 8000],
      ['gemini-2.5-flash-image gemma-3-1b gemma-3-270m gemma-3n', 32_000],
      ['gemini-3-pro-image gemini-3.1-flash-image gemini-3.1-flash-lite-image', 64_000],
      ['gemini-2.5-computer-use gemini-robotics-er gemma-4-e2b gemma-4-e4b', 128_000],
      ['deep-research gemini', 1_000_000],
      ['mistral-7b', 8000],
      ['mistral-small-2409 mistral-small-2501 mixtral-8x7b voxtral', 32_000],
      ['mixtral-8x22b', 64_000],
      ['devstral magistral ministral mistral-large mistral-medium mistral-nemo', 128_000],
      ['mistral-small mistral-small-3.2 pixtral', 128_000],
      ['devstral-2 devstral-small-2 devstral-small-2512 mistral-large-3', 256_000],
      ['qwen-plus-character', 8000],
      ['qwen-mt', 16_000],
      ['qwen-2 qwen-2.5 qwen-max qwen-omni qwen-vl-ocr', 32_000],
      ['qwen-3-omni', 64_000],
      ['qvq qwen-vl qwq', 128_000],
      ['qwen-3.6-max', 240_000],
      ['qwen-3-235b-a22b-instruct-2507 qwen-3-max qwen-3.7', 256_000],
      ['qwen-3-coder-flash qwen-3-coder-plus qwen-3.5-flash qwen-3.5-plus', 1_000_000],
      ['qwen-3.6-plus qwen-flash qwen-plus qwen-turbo', 1_000_000],
      ['command command-light llama-2 phi-3-medium-4k phi-3-mini-4k titan-text-lite', 4096],
      ['aya-expanse-8b command-a-translate llama-3 phi-3-small-8k titan-text-express', 8000],
      ['titan-tg1', 8000],
      ['aya-vision morph-v3-fast phi-4', 16_000],
      ['lfm2 longcat-flash-thinking mercury-coder morph-v3-large phi-4-reasoning rnj-1', 32_000],
      ['glm-4.5v', 64_000],
      ['palmyra sonar', 120_000],
      ['aya-expanse-32b command-a-vision command-r grok kimi-k2 llama-3.2', 128_000],
      ['longcat-flash-chat mercury nemotron nova-micro phi-3 phi-4-mini', 128_000],
      ['phi-4-multimodal trinity', 128_000],
      ['cogito', 160_000],
      ['minimax', 196_000],
      ['sonar-pro', 200_000],
      ['command-a grok-4 grok-4.1 grok-build grok-code inkling jamba kat-coder', 256_000],
      ['kimi-k2-0905 kimi-k2-turbo mercury-2.5 mimo-v2-flash nemotron-nano-3', 256_000],
      ['nemotron-super-3 seed-1 seed-1.8 seed-2 step-3.5 trinity-large-thinking', 256_000],
      ['nova-lite nova-pro', 300_000],
      ['fugu grok-4.1-fast grok-4.20 grok-4.3 interfaze-beta longcat-2.5 mercury-3', 1_000_000],
      ['nova-premier palmyra-x5', 1_000_000],
      ['grok-4-fast', 2_000_000],
    ],
  },
];

/** What hosts serve otherwise, by host, as far as the data set does not say it. */
export const hostExceptions: Readonly<Record<string, readonly Row[]>> = {
  'amazon-bedrock': [
    ['qwen-3-32b', 16_000],
    ['qwen-3-coder', 128_000],
    ['gpt-5.4 gpt-5.5', 272_000],
    ['llama-4-maverick nova-2-lite', 1_000_000],
    ['llama-4-scout', 3_500_000],
  ],
  azure: [
    ['gpt-35', 16_000],
    ['grok-4.1-fast model-router', 128_000],
    ['claude', 200_000],
    ['grok-4.20', 256_000],
  ],
  cerebras: [['glm-4.7 qwen-3.8', 128_000]],
  deepseek: [['deepseek', 1_000_000]],
  // Input limits that the gateway's own list of models states.
  gateway: [
    ['mistral-small', 32_000],
    ['gpt-4o-mini-search gpt-5-chat gpt-5.1-instant gpt-5.2-chat gpt-5.3-chat', 128_000, 111_616],
    ['gpt-oss-safeguard', 128_000, 65_536],
    ['gpt-oss-20b', 128_000, 122_880],
    ['kimi-k2-thinking', 216_144],
    ['deepseek-v4 glm-5.2 nova-2-lite', 1_000_000],
    ['gpt-5.5', 1_000_000, 872_000],
  ],
  groq: [['compound llama-3 qwen-3-32b qwen-3.6 qwen-3.8', 128_000]],
  minimax: [['minimax-m3', 1_000_000]],
  togetherai: [['pearl-ai-gemma-4-31b-it', 32_000]],
  // developers.cloudflare.com/workers-ai/models
  'workers-ai': [['qwq-32b', 24_000]],
};
