#!/bin/sh
# A picture in a tool result: a picture on some wires, JSON text with a number for each byte on others.
#
# Versions: node 24.21.0, @ai-sdk/groq 4.0.84, @ai-sdk/mistral 4.0.87, @ai-sdk/cohere 4.0.52,
#   @ai-sdk/openai-compatible 3.0.92, @ai-sdk/alibaba 2.0.58, @ai-sdk/openai 4.0.118,
#   @ai-sdk/deepseek 3.0.56, @ai-sdk/xai 5.0.12, @ai-sdk/anthropic 4.0.105, @ai-sdk/google 4.0.121,
#   @ai-sdk/amazon-bedrock 5.0.101
# Behavior: Groq, Mistral, Cohere, OpenAI-compatible, Alibaba and OpenAI chat send the content of a
#   tool result as JSON text; a Uint8Array becomes an object with an entry for each byte. The others
#   send a picture.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: every provider sends base64, or refuses what it cannot show.
# For users of a summarizing middleware: a screenshot of 30 kB is some 350,000 characters of prompt
#   on six wires; a count by pixels misses nearly all of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/groq@4.0.84 \
  @ai-sdk/mistral@4.0.87 \
  @ai-sdk/cohere@4.0.52 \
  @ai-sdk/openai-compatible@3.0.92 \
  @ai-sdk/alibaba@2.0.58 \
  @ai-sdk/openai@4.0.118 \
  @ai-sdk/deepseek@3.0.56 \
  @ai-sdk/xai@5.0.12 \
  @ai-sdk/anthropic@4.0.105 \
  @ai-sdk/google@4.0.121 \
  @ai-sdk/amazon-bedrock@5.0.101

cat >seen.mjs <<'END'
import { createAlibaba } from '@ai-sdk/alibaba';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createCohere } from '@ai-sdk/cohere';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogle } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createXai } from '@ai-sdk/xai';

/** Sends `prompt` through a model whose `fetch` keeps the body and answers `answer`; no network. */
async function send(makeModel, options, answer = {}) {
  let body;
  const fetch = async (url, init) => {
    body = JSON.parse(init.body);
    return Response.json(answer);
  };
  const result = await makeModel(fetch)
    .doGenerate(options)
    .catch((error) => ({ error }));
  return { body, ...result };
}
const apiKey = 'none';
const models = {
  groq: (fetch) => createGroq({ apiKey, fetch })('llama-3.3-70b-versatile'),
  mistral: (fetch) => createMistral({ apiKey, fetch })('mistral-large-latest'),
  cohere: (fetch) => createCohere({ apiKey, fetch })('command-a-03-2025'),
  'openai-compatible': (fetch) =>
    createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1/v1', fetch })('a-model'),
  alibaba: (fetch) => createAlibaba({ apiKey, fetch })('qwen3-max'),
  'openai chat': (fetch) => createOpenAI({ apiKey, fetch }).chat('gpt-5'),
  'openai responses': (fetch) => createOpenAI({ apiKey, fetch }).responses('gpt-5'),
  deepseek: (fetch) => createDeepSeek({ apiKey, fetch })('deepseek-chat'),
  xai: (fetch) => createXai({ apiKey, fetch })('grok-4'),
  anthropic: (fetch) => createAnthropic({ apiKey, fetch })('claude-sonnet-4-5'),
  google: (fetch) => createGoogle({ apiKey, fetch })('gemini-3-pro-preview'),
  'amazon-bedrock': (fetch) =>
    createAmazonBedrock({ region: 'us-east-1', apiKey, fetch })('amazon.nova-pro-v1:0'),
};

const bytes = new Uint8Array(3000).fill(200);
const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } };
const prompt = [
  { role: 'user', content: [{ type: 'text', text: 'Take a screenshot.' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call00001', toolName: 'shot', input: {} }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call00001',
        toolName: 'shot',
        output: { type: 'content', value: [picture] },
      },
    ],
  },
];
const tools = [{ type: 'function', name: 'shot', inputSchema: { type: 'object', properties: {} } }];

for (const [name, makeModel] of Object.entries(models)) {
  const { body } = await send(makeModel, { prompt, tools });
  const text = JSON.stringify(body);
  const form = text.includes(Buffer.from(bytes).toString('base64')) ? 'base64' : 'numbers';
  const size = text.length - JSON.stringify({ ...body, messages: 0, input: 0, contents: 0 }).length;
  console.log(`${name}: ${form}, some ${Math.round(size / 1000)},000 characters for 3,000 bytes`);
}
END

cat >expected.txt <<'END'
groq: numbers, some 38,000 characters for 3,000 bytes
mistral: numbers, some 38,000 characters for 3,000 bytes
cohere: numbers, some 38,000 characters for 3,000 bytes
openai-compatible: numbers, some 38,000 characters for 3,000 bytes
alibaba: numbers, some 38,000 characters for 3,000 bytes
openai chat: numbers, some 38,000 characters for 3,000 bytes
openai responses: base64, some 4,000 characters for 3,000 bytes
deepseek: base64, some 4,000 characters for 3,000 bytes
xai: base64, some 4,000 characters for 3,000 bytes
anthropic: base64, some 4,000 characters for 3,000 bytes
google: base64, some 4,000 characters for 3,000 bytes
amazon-bedrock: base64, some 4,000 characters for 3,000 bytes
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
