#!/bin/sh
# A stream reports usage only where its package asks for it.
#
# Versions: node 24.21.0, @ai-sdk/openai-compatible 3.0.92, @ai-sdk/togetherai 2.0.84,
#   @ai-sdk/fireworks 2.0.90, @ai-sdk/cerebras 2.0.82, @ai-sdk/baseten 1.1.11, @ai-sdk/deepinfra
#   2.0.84, @ai-sdk/moonshotai 2.0.61, @ai-sdk/alibaba 2.0.58, @ai-sdk/deepseek 3.0.56, @ai-sdk/groq
#   4.0.84, @ai-sdk/mistral 4.0.87, @ai-sdk/perplexity 3.0.61, @ai-sdk/openai 4.0.118
# Behavior: TogetherAI, Fireworks, Baseten, Moonshot AI, Alibaba, DeepSeek and OpenAI send
#   stream_options.include_usage; OpenAI-compatible, Cerebras, DeepInfra, Groq, Mistral and
#   Perplexity do not, and report undefined where a server obeys.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: all packages that build on openai-compatible behave alike.
# For users of a summarizing middleware: pass includeUsage: true to createOpenAICompatible, or
#   nothing is learned from streamed calls (some servers send usage unasked).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/openai-compatible@3.0.92 \
  @ai-sdk/togetherai@2.0.84 \
  @ai-sdk/fireworks@2.0.90 \
  @ai-sdk/cerebras@2.0.82 \
  @ai-sdk/baseten@1.1.11 \
  @ai-sdk/deepinfra@2.0.84 \
  @ai-sdk/moonshotai@2.0.61 \
  @ai-sdk/alibaba@2.0.58 \
  @ai-sdk/deepseek@3.0.56 \
  @ai-sdk/groq@4.0.84 \
  @ai-sdk/mistral@4.0.87 \
  @ai-sdk/perplexity@3.0.61 \
  @ai-sdk/openai@4.0.118

cat >seen.mjs <<'END'
import { createAlibaba } from '@ai-sdk/alibaba';
import { createBaseten } from '@ai-sdk/baseten';
import { createCerebras } from '@ai-sdk/cerebras';
import { createDeepInfra } from '@ai-sdk/deepinfra';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createFireworks } from '@ai-sdk/fireworks';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createMoonshotAI } from '@ai-sdk/moonshotai';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createPerplexity } from '@ai-sdk/perplexity';
import { createTogetherAI } from '@ai-sdk/togetherai';

const apiKey = 'none';
const local = { name: 'local', baseURL: 'http://127.0.0.1/v1' };
const models = {
  'openai-compatible': (fetch) => createOpenAICompatible({ ...local, fetch })('a-model'),
  'openai-compatible, includeUsage': (fetch) =>
    createOpenAICompatible({ ...local, includeUsage: true, fetch })('a-model'),
  togetherai: (fetch) => createTogetherAI({ apiKey, fetch })('a-model'),
  fireworks: (fetch) => createFireworks({ apiKey, fetch })('a-model'),
  cerebras: (fetch) => createCerebras({ apiKey, fetch })('a-model'),
  baseten: (fetch) => createBaseten({ apiKey, fetch })('a-model'),
  deepinfra: (fetch) => createDeepInfra({ apiKey, fetch })('a-model'),
  moonshotai: (fetch) => createMoonshotAI({ apiKey, fetch })('a-model'),
  alibaba: (fetch) => createAlibaba({ apiKey, fetch })('a-model'),
  deepseek: (fetch) => createDeepSeek({ apiKey, fetch })('a-model'),
  groq: (fetch) => createGroq({ apiKey, fetch })('a-model'),
  mistral: (fetch) => createMistral({ apiKey, fetch })('a-model'),
  perplexity: (fetch) => createPerplexity({ apiKey, fetch })('a-model'),
  'openai chat': (fetch) => createOpenAI({ apiKey, fetch }).chat('gpt-5'),
};

/** Answers as a server that sends usage only if `stream_options` asks for it. */
async function obedient(_url, init) {
  const base = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'a-model' };
  const choice = (delta, finish_reason) => ({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  const chunks = [
    choice({ role: 'assistant', content: 'Hello.' }, null),
    choice({ content: '' }, 'stop'),
  ];
  if (JSON.parse(init.body).stream_options?.include_usage) {
    const usage = { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 };
    chunks.push({ ...base, choices: [], usage });
  }
  const text = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
  return new Response(text.map((line) => `data: ${line}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}

const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
for (const [name, makeModel] of Object.entries(models)) {
  const { stream } = await makeModel(obedient).doStream({ prompt });
  for await (const part of stream) {
    if (part.type === 'finish') console.log(`${name}: ${part.usage.inputTokens.total}`);
  }
}
END

cat >expected.txt <<'END'
openai-compatible: undefined
openai-compatible, includeUsage: 7
togetherai: 7
fireworks: 7
cerebras: undefined
baseten: 7
deepinfra: undefined
moonshotai: 7
alibaba: 7
deepseek: 7
groq: undefined
mistral: undefined
perplexity: undefined
openai chat: 7
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
