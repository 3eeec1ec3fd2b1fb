// Made by `npm run make:windows`: change `test/inside/windows/exceptions.ts`, which says why, not this file.
// Source: @earendil-works/pi-ai 1.6.0 (MIT), 2026-11-20; and those exceptions, summer of 2026.

/**
 * How much models accept, wherever they are hosted: a line for a context length, or for that and an input limit, with names that
 * models begin with.
 */
export const modelFamilies = `
4096 command gpt-3-5-turbo-0301 gpt-3-5-turbo-instruct llama-2 phi-3-medium-4k phi-3-mini-4k titan-text-lite
8000 aya-expanse-8b command-a-translate gemini-2-5-flash-preview-tts gemini-2-5-flash-tts gemini-2-5-pro-preview-tts
8000 gemini-2-5-pro-tts gemma-2 llama-3 mistral-7b phi-3-small-8k qwen-plus-character titan-text-express titan-tg-1
8192 gpt-4
16000 aya-vision morph-3-fast phi-4 qwen-mt
16384 gpt-3-5
32000 gemini-2-5-flash-image gemma-3-1b gemma-3-270m gemma-3-n lfm-2 longcat-flash-thinking mercury-coder
32000 mistral-small-2409 mistral-small-2501 mixtral-8-x-7b morph-3-large phi-4-reasoning qwen-2 qwen-max qwen-omni
32000 qwen-vl-ocr rnj-1 voxtral
32768 gpt-4-32k
40960 qwen-3
64000 deepseek-r-1 gemini-3-1-flash-image gemini-3-1-flash-lite-image gemini-3-pro-image glm-4-5-v mixtral-8-x-22b
64000 qwen-3-omni
100000 claude-2-0 claude-instant
120000 palmyra sonar
128000 aya-expanse-32b chatgpt-4-o command-a-vision command-r deepseek deepseek-r-1-0528 deepseek-r-1-distill devstral
128000 gemini-2-5-computer-use gemini-robotics-er gemini-robotics-er-2 gemma-3 gemma-4-e-2b gemma-4-e-4b glm-4 glm-4-6-v
128000 gpt-4-0125 gpt-4-1106 gpt-4-5 gpt-4-o gpt-4-turbo gpt-4-vision gpt-5-1-chat gpt-5-1-instant gpt-5-2-chat
128000 gpt-5-3-chat gpt-5-chat gpt-oss grok kimi-k-2 lfm-2-5 ling-3 ling-3-0-flash-vl llama-3-1 llama-3-2 llama-3-3
128000 llama-4 longcat-flash-chat magistral mercury ministral mistral-large mistral-medium mistral-nemo mistral-small
128000 mistral-small-3-2 muse-glimmer-30b nemotron nova-2-lite nova-micro o-1-mini o-1-preview phi-3 phi-4-mini
128000 phi-4-multimodal pixtral qvq qwen-3-235b qwen-3-next qwen-3-vl qwen-vl qwq trinity
128000/100000 gpt-5-3-codex-spark
160000 cogito deepseek-3-2
196000 minimax minimax-m-2-5
200000 claude claude-3-7 codex-mini glm-4-6 glm-4-7 glm-5 minimax-m-2 o-1 o-3 o-4 sonar-pro
240000 qwen-3-6-max
256000 codestral command-a devstral-2 devstral-2512 devstral-latest devstral-medium-latest devstral-small-2
256000 devstral-small-2512 gemma-4 grok-4 grok-build grok-code hy-3 inkling jamba kat-coder kimi-k-2-0905 kimi-k-2-5
256000 kimi-k-2-6 kimi-k-2-7 kimi-k-2-thinking kimi-k-2-turbo labs-leanstral-1-5 ling-2-6 ling-3-0-flash ling-3-1
256000 magistral-medium-latest mercury-2-5 mimo-2-5 mimo-2-flash ministral-14b-2512 ministral-8b-2512 ministral-8b-latest
256000 mistral-large-2512 mistral-large-3 mistral-medium-2508 mistral-medium-2604 mistral-medium-3-5
256000 mistral-medium-latest mistral-small-2603 mistral-small-latest nemotron-3 nemotron-3-5 nemotron-nano-3
256000 nemotron-super-3 qwen-3-235b-a-22b-instruct-2507 qwen-3-30b-a-3b-instruct-2507 qwen-3-5 qwen-3-6 qwen-3-7 qwen-3-8
256000 qwen-3-coder qwen-3-max qwen-3-next-80b-a-3b-instruct ring-2-6 seed-1 seed-2 seed-2-1 step-3-5 step-3-7
256000 trinity-large-thinking
300000 nova-lite nova-pro
400000 chat-latest gpt-daybreak-red-latest
400000/272000 gpt-5 gpt-5-4-mini gpt-5-4-nano gpt-5-6-cyber
500000 grok-4-5 grok-4-6 grok-4-7 grok-latest inkling-small minimax-m-3 minimax-m-3-1
990000 qwen-3-7-flash qwen-3-7-max qwen-3-8-flash qwen-3-8-max-0902
1000000 beam-1 claude-fable-5 claude-fable-5-2 claude-haiku-5-5 claude-opus-4-6 claude-opus-4-7 claude-opus-4-8
1000000 claude-opus-5 claude-opus-5-5 claude-sonnet-4-6 claude-sonnet-5 claude-sonnet-5-5 deep-research deepseek-4
1000000 deepseek-4-1 deepseek-flash ember-1 fugu fugu-ultra-2 gemini gemini-4 glm-5-2 glm-5-3 glm-flash-latest glm-latest
1000000 grok-4-1-fast grok-4-20 grok-4-3 hy-4 inkling-2 interfaze-beta kimi-k-3 kimi-k-3-1 kimi-latest longcat-2-5
1000000 mercury-3 mimo-2-6 minimax-m-3-1-flash mistral-large-4 mistral-large-latest muse-ember muse-ember-1
1000000 muse-spark-1-1 muse-spark-1-2 muse-spark-1-3 muse-spark-open muse-wonder-1 nemotron-3-ultra-550b-a-55b nova-2
1000000 nova-premier palmyra-x-5 particle-1 qwen-3-5-flash qwen-3-5-plus qwen-3-6-flash qwen-3-6-plus qwen-3-7-plus
1000000 qwen-3-8-max qwen-3-8-omni-flash qwen-3-coder-flash qwen-3-coder-plus qwen-4 qwen-flash qwen-plus qwen-turbo
1000000 step-5 zai-glm-5-3
1047576 gpt-4-1
1050000/922000 gpt-5-4 gpt-5-5 gpt-5-6 gpt-6 gpt-6-2 gpt-astra-latest gpt-daybreak-blue gpt-luna-latest gpt-sol-latest
1050000/922000 gpt-terra-latest
1050000 gpt-daybreak-blue-latest
2000000 grok-4-fast
`;

/** Context lengths of hosts that differ. These go first. */
export const hosts: Readonly<Record<string, string>> = {
  'amazon-bedrock': `
16000 qwen-3-32b
128000 qwen-3-coder
196000 minimax-m-2-1
272000 gpt-5-4 gpt-5-5
1000000 llama-4-maverick nova-2-lite
3500000 llama-4-scout
`,
  azure: `
16000 gpt-35
128000 grok-4-1-fast model-router
200000 claude
256000 grok-4-20
`,
  baseten: `
200000 nvidia-nemotron-3-ultra-550b-a-55b
`,
  cerebras: `
128000 glm-4-7 qwen-3-8
`,
  deepseek: `
1000000 deepseek
`,
  fireworks: `
256000 qwen-3-8-max
1000000 glm-fast-latest kimi-fast-latest
`,
  gateway: `
4096 grok-voice-3-0
32000 mistral-small
128000 codestral deepseek-3-2
128000/111616 gpt-4-o-mini-search gpt-5-1-instant gpt-5-2-chat gpt-5-3-chat gpt-5-chat
128000/65536 gpt-oss-safeguard
128000/122880 gpt-oss-20b
196000 minimax-m-2-7
216144 kimi-k-2-thinking
1000000 deepseek-4 glm-5-2 gpt-5-5-batch gpt-5-5-fast gpt-5-5-pro nova-2-lite
1000000/872000 gpt-5-5
`,
  groq: `
128000 compound llama-3 qwen-3-32b qwen-3-6 qwen-3-8
`,
  huggingface: `
40960 qwen-3-235b-a-22b
60000 llama-3-2-1b-instruct
64000 deepseek-3
80000 llama-3-2-3b-instruct
256000 glm-5-2
`,
  minimax: `
1000000 minimax-m-3
`,
  nvidia: `
256000 minimax-m-3-1-flash
`,
  openrouter: `
4095 gpt-3-5-turbo-0613
8191 gpt-4
16384 reka-edge
32000 mistral-saba
36864 perceptron-mk-1-5
64000 gemini-nano-banana-2-1
128000 glm-4-7-flash
192000 command-a-plus
196000 minimax-m-2-7
256000 nemotron-3-ultra-550b-a-55b qwen-3-7-plus-batch qwen-3-8-max-0902-batch
400000 gpt-mini-latest
1000000 pareto-latest
`,
  togetherai: `
32000 pearl-ai-gemma-4-31b-it
`,
  'workers-ai': `
24000 llama-3-3-70b-instruct-fp-8-fast qwq-32b
32000 qwen-3-30b-a-3b-fp-8
128000 glm-4-7-flash
256000 glm-5-2
`,
};
