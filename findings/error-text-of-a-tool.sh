#!/bin/sh
# A tool result of type error-text is told from a text on some wires only.
#
# Versions: node 24.21.0, @ai-sdk/groq 4.0.84, @ai-sdk/mistral 4.0.87, @ai-sdk/cohere 4.0.52,
#   @ai-sdk/openai-compatible 3.0.92, @ai-sdk/alibaba 2.0.58, @ai-sdk/openai 4.0.118,
#   @ai-sdk/deepseek 3.0.56, @ai-sdk/xai 5.0.12, @ai-sdk/anthropic 4.0.105, @ai-sdk/google 4.0.121,
#   @ai-sdk/amazon-bedrock 5.0.101
# Behavior: OpenAI (both APIs) wraps it as JSON with a key error, Anthropic sets is_error, Google
#   uses response.error; Bedrock, xAI, Groq, Mistral, Cohere, Alibaba, DeepSeek and
#   OpenAI-compatible send the bare text.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: Bedrock, whose API has a status for it, says that the tool failed.
# For users of a summarizing middleware: on most wires only the words say that a tool failed; a
#   shortened error has to keep words that say so.
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
  'openai responses': (fetch) => createOpenAI({ apiKey, fetch }).responses('gpt-5'),
  'openai chat': (fetch) => createOpenAI({ apiKey, fetch }).chat('gpt-5'),
  anthropic: (fetch) => createAnthropic({ apiKey, fetch })('claude-sonnet-4-5'),
  google: (fetch) => createGoogle({ apiKey, fetch })('gemini-3-pro-preview'),
  'amazon-bedrock': (fetch) =>
    createAmazonBedrock({ region: 'us-east-1', apiKey, fetch })('amazon.nova-pro-v1:0'),
  xai: (fetch) => createXai({ apiKey, fetch })('grok-4'),
  groq: (fetch) => createGroq({ apiKey, fetch })('llama-3.3-70b-versatile'),
  mistral: (fetch) => createMistral({ apiKey, fetch })('mistral-large-latest'),
  cohere: (fetch) => createCohere({ apiKey, fetch })('command-a-03-2025'),
  alibaba: (fetch) => createAlibaba({ apiKey, fetch })('qwen3-max'),
  deepseek: (fetch) => createDeepSeek({ apiKey, fetch })('deepseek-chat'),
  'openai-compatible': (fetch) =>
    createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1/v1', fetch })('a-model'),
};
const promptWith = (output) => [
  { role: 'user', content: [{ type: 'text', text: 'Try it.' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call00001', toolName: 'f', input: {} }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call00001', toolName: 'f', output }],
  },
];
const tools = [{ type: 'function', name: 'f', inputSchema: { type: 'object', properties: {} } }];
for (const [name, makeModel] of Object.entries(models)) {
  const [text, error] = await Promise.all(
    ['text', 'error-text'].map(async (type) => {
      const { body } = await send(makeModel, { prompt: promptWith({ type, value: 'no' }), tools });
      return JSON.stringify((body.messages ?? body.input ?? body.contents).at(-1));
    }),
  );
  console.log(`${name}: ${text === error ? 'the same as a text' : error}`);
}
END

cat >expected.txt <<'END'
openai responses: {"type":"function_call_output","call_id":"call00001","output":"{\"error\":\"no\"}"}
openai chat: {"role":"tool","tool_call_id":"call00001","content":"{\"error\":\"no\"}"}
anthropic: {"role":"user","content":[{"type":"tool_result","tool_use_id":"call00001","content":"no","is_error":true}]}
google: {"role":"user","parts":[{"functionResponse":{"id":"call00001","name":"f","response":{"name":"f","error":"no"}}}]}
amazon-bedrock: the same as a text
xai: the same as a text
groq: the same as a text
mistral: the same as a text
cohere: the same as a text
alibaba: the same as a text
deepseek: the same as a text
openai-compatible: the same as a text
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
