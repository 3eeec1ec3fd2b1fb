// Made by `npm run make:windows`: change `test/inside/windows/exceptions.ts`, which says why, not this file.
// Source: @earendil-works/pi-ai 1.6.0 (MIT), 2026-11-20; and those exceptions, summer of 2026.

/**
 * How much models accept, wherever they are hosted: context lengths, or those and input limits, and after each the names that
 * models begin with, as `readTable` reads them.
 */
export const modelFamilies = `
4096 command gpt-3-5-turbo-0301 Dinstruct llama-2 phi-3-medium-4k Bmini-4k titan-text-lite
8000 aya-expanse-8b command-a-translate gemini-2-5-flash-preview-tts Dtts Cpro-preview-tts Dtts gemma-2 llama-3
mistral-7b phi-3-small-8k qwen-plus-character titan-text-express Atg-1
8192 gpt-4
16000 aya-vision morph-3-fast phi-4 qwen-mt
16384 gpt-3-5
32000 gemini-2-5-flash-image gemma-3-1b B270m Bn lfm-2 longcat-flash-thinking mercury-coder mistral-small-2409 B2501
mixtral-8-x-7b morph-3-large phi-4-reasoning qwen-2 Amax Aomni Avl-ocr rnj-1 voxtral
32768 gpt-4-32k
40960 qwen-3
64000 deepseek-r-1 gemini-3-1-flash-image Dlite-image Bpro-image glm-4-5-v mixtral-8-x-22b qwen-3-omni
100000 claude-2-0 Ainstant
120000 palmyra sonar
128000 aya-expanse-32b chatgpt-4-o command-a-vision Ar deepseek Ar-1-0528 Cdistill devstral gemini-2-5-computer-use
Arobotics-er C2 gemma-3 A4-e-2b C4b glm-4 B6-v gpt-4-0125 B1106 B5 Bo Bturbo Bvision A5-1-chat Cinstant B2-chat B3-chat
Bchat Aoss grok kimi-k-2 lfm-2-5 ling-3 B0-flash-vl llama-3-1 B2 B3 A4 longcat-flash-chat magistral mercury ministral
mistral-large Amedium Anemo Asmall B3-2 muse-glimmer-30b nemotron nova-2-lite Amicro o-1-mini Bpreview phi-3 A4-mini
Bmultimodal pixtral qvq qwen-3-235b Bnext Bvl Avl qwq trinity
128000/100000 gpt-5-3-codex-spark
160000 cogito deepseek-3-2
196000 minimax Am-2-5
200000 claude A3-7 codex-mini glm-4-6 B7 A5 minimax-m-2 o-1 A3 A4 sonar-pro
240000 qwen-3-6-max
256000 codestral command-a devstral-2 A2512 Alatest Amedium-latest Asmall-2 B2512 gemma-4 grok-4 Abuild Acode hy-3
inkling jamba kat-coder kimi-k-2-0905 C5 C6 C7 Cthinking Cturbo labs-leanstral-1-5 ling-2-6 A3-0-flash B1
magistral-medium-latest mercury-2-5 mimo-2-5 Bflash ministral-14b-2512 A8b-2512 Blatest mistral-large-2512 B3
Amedium-2508 B2604 B3-5 Blatest Asmall-2603 Blatest nemotron-3 B5 Anano-3 Asuper-3 qwen-3-235b-a-22b-instruct-2507
B30b-a-3b-instruct-2507 B5 B6 B7 B8 Bcoder Bmax Bnext-80b-a-3b-instruct ring-2-6 seed-1 A2 B1 step-3-5 B7
trinity-large-thinking
300000 nova-lite Apro
400000 chat-latest gpt-daybreak-red-latest
400000/272000 gpt-5 B4-mini Cnano B6-cyber
500000 grok-4-5 B6 B7 Alatest inkling-small minimax-m-3 C1
990000 qwen-3-7-flash Cmax B8-flash Cmax-0902
1000000 beam-1 claude-fable-5 C2 Ahaiku-5-5 Aopus-4-6 C7 C8 B5 C5 Asonnet-4-6 B5 C5 deep-research deepseek-4 B1 Aflash
ember-1 fugu Aultra-2 gemini A4 glm-5-2 B3 Aflash-latest Alatest grok-4-1-fast B20 B3 hy-4 inkling-2 interfaze-beta
kimi-k-3 C1 Alatest longcat-2-5 mercury-3 mimo-2-6 minimax-m-3-1-flash mistral-large-4 Blatest muse-ember B1 Aspark-1-1
C2 C3 Bopen Awonder-1 nemotron-3-ultra-550b-a-55b nova-2 Apremier palmyra-x-5 particle-1 qwen-3-5-flash Cplus B6-flash
Cplus B7-plus B8-max Comni-flash Bcoder-flash Cplus A4 Aflash Aplus Aturbo step-5 zai-glm-5-3
1047576 gpt-4-1
1050000/922000 gpt-5-4 B5 B6 A6 B2 Aastra-latest Adaybreak-blue Aluna-latest Asol-latest Aterra-latest
1050000 gpt-daybreak-blue-latest
2000000 grok-4-fast
`;

/** Context lengths of hosts that differ. These go first. */
export const hosts: Readonly<Record<string, string>> = {
  'amazon-bedrock': `
16000 qwen-3-32b
128000 qwen-3-coder
196000 minimax-m-2-1
272000 gpt-5-4 B5
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
128000/111616 gpt-4-o-mini-search A5-1-instant B2-chat B3-chat Bchat
128000/65536 gpt-oss-safeguard
128000/122880 gpt-oss-20b
196000 minimax-m-2-7
216144 kimi-k-2-thinking
1000000 deepseek-4 glm-5-2 gpt-5-5-batch Cfast Cpro nova-2-lite
1000000/872000 gpt-5-5
`,
  groq: `
128000 compound llama-3 qwen-3-32b B6 B8
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
256000 nemotron-3-ultra-550b-a-55b qwen-3-7-plus-batch B8-max-0902-batch
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
