#!/bin/sh
# A model's provider does not tell under which key its options are read.
#
# Versions: node 24.21.0, @ai-sdk/amazon-bedrock 5.0.101, @ai-sdk/google-vertex 5.0.141,
#   @ai-sdk/open-responses 2.0.36, @ai-sdk/togetherai 2.0.84, ollama-ai-provider-v2 4.0.1
# Behavior: amazon-bedrock reads bedrock and amazonBedrock, bedrock-mantle only openai,
#   google.vertex.chat google, vertex and googleVertex, togetherai two common keys beside its own;
#   none of the Bedrock models reads the first part of its provider but the one for Claude.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: the part of model.provider before the first period is the key, as it is for
#   openai, anthropic and mistral.
# For users of a summarizing middleware: whoever reads or sets options by model.provider misses
#   Bedrock's; a table is needed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/amazon-bedrock@5.0.101 \
  @ai-sdk/google-vertex@5.0.141 \
  @ai-sdk/open-responses@2.0.36 \
  @ai-sdk/togetherai@2.0.84 \
  ollama-ai-provider-v2@4.0.1

cat >seen.mjs <<'END'
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createBedrockAnthropic } from '@ai-sdk/amazon-bedrock/anthropic';
import { createBedrockMantle } from '@ai-sdk/amazon-bedrock/mantle';
import { createGoogleVertex } from '@ai-sdk/google-vertex';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { createTogetherAI } from '@ai-sdk/togetherai';
import { createOllama } from 'ollama-ai-provider-v2';

let body;
const fetch = async (url, init) => {
  body = init.body;
  return Response.json({});
};
const settings = { apiKey: 'none', region: 'us-east-1', fetch };
const thinking = { thinking: { type: 'enabled', budgetTokens: 2000 } };
const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const url = 'http://127.0.0.1/v1/responses';
const models = [
  [createAmazonBedrock(settings)(claude), { additionalModelRequestFields: { a: 1 } }],
  [createBedrockAnthropic(settings)(claude), thinking],
  [createBedrockMantle(settings)('openai.gpt-oss-120b'), { user: 'u' }],
  [createBedrockMantle(settings).responses('openai.gpt-oss-120b'), { user: 'u' }],
  [createGoogleVertex(settings)('gemini-2.5-pro'), { labels: { a: 'b' } }],
  [createOpenResponses({ name: 'local', url, fetch })('a-model'), { reasoningSummary: 'auto' }],
  [createTogetherAI(settings)('a-model'), { user: 'u' }],
  [createOllama({ fetch })('a-model'), { think: true }],
];
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
/** The request that `model` sends with `providerOptions`; the empty answer is no matter. */
async function sent(model, providerOptions) {
  await model.doGenerate({ prompt, providerOptions }).catch(() => {});
  return body;
}
const common = ['amazonBedrock', 'anthropic', 'bedrock', 'google', 'googleVertex', 'openai'];
const known = [...common, 'openai-compatible', 'openaiCompatible', 'vertex'];
for (const [model, options] of models) {
  const plain = await sent(model);
  const read = [];
  for (const key of new Set([model.provider, ...model.provider.split('.'), ...known]))
    if ((await sent(model, { [key]: options })) !== plain) read.push(key);
  console.log(`${model.provider}: ${read.join(', ')}`);
}
END

cat >expected.txt <<'END'
amazon-bedrock: amazonBedrock, bedrock
bedrock.anthropic.messages: bedrock, anthropic
bedrock-mantle.chat: openai
bedrock-mantle.responses: openai
google.vertex.chat: google, vertex, googleVertex
local.responses: local
togetherai.chat: togetherai, openai-compatible, openaiCompatible
ollama.responses: ollama
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
