#!/bin/sh
# The finish reason model_context_window_exceeded is length for Anthropic and other elsewhere.
#
# Versions: node 24.21.0, @ai-sdk/anthropic 4.0.105, @ai-sdk/amazon-bedrock 5.0.101,
#   @ai-sdk/openai-compatible 3.0.92, @ai-sdk/deepseek 3.0.56, @ai-sdk/groq 4.0.84, @ai-sdk/mistral
#   4.0.87, @ai-sdk/alibaba 2.0.58, @ai-sdk/openai 4.0.118
# Behavior: Every package keeps the raw word; only Anthropic's maps it to length. Bedrock's, which
#   serves the same models, says other. No package throws for the empty content.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: Bedrock and Anthropic agree, as the word comes from Claude.
# For users of a summarizing middleware: an answer that ended for want of room is to be told by
#   finishReason.raw, not by unified.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/anthropic@4.0.105 \
  @ai-sdk/amazon-bedrock@5.0.101 \
  @ai-sdk/openai-compatible@3.0.92 \
  @ai-sdk/deepseek@3.0.56 \
  @ai-sdk/groq@4.0.84 \
  @ai-sdk/mistral@4.0.87 \
  @ai-sdk/alibaba@2.0.58 \
  @ai-sdk/openai@4.0.118

cat >seen.mjs <<'END'
import { createAlibaba } from '@ai-sdk/alibaba';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

const reason = 'model_context_window_exceeded';
const apiKey = 'none';
const claude = {
  type: 'message',
  id: 'msg_1',
  model: 'claude-sonnet-4-5',
  role: 'assistant',
  content: [],
  stop_reason: reason,
  stop_sequence: null,
  usage: { input_tokens: 1000, output_tokens: 0 },
};
const converse = {
  output: { message: { role: 'assistant', content: [] } },
  stopReason: reason,
  usage: { inputTokens: 1000, outputTokens: 0, totalTokens: 1000 },
};
const chat = {
  id: 'chat_1',
  object: 'chat.completion',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: reason }],
  usage: { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 },
};
const answers = (answer) => async () => Response.json(answer);
const models = {
  anthropic: createAnthropic({ apiKey, fetch: answers(claude) })('claude-sonnet-4-5'),
  'amazon-bedrock': createAmazonBedrock({ region: 'us-east-1', apiKey, fetch: answers(converse) })(
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
  ),
  'openai-compatible': createOpenAICompatible({
    name: 'local',
    baseURL: 'http://127.0.0.1/v1',
    fetch: answers(chat),
  })('a-model'),
  deepseek: createDeepSeek({ apiKey, fetch: answers(chat) })('deepseek-chat'),
  groq: createGroq({ apiKey, fetch: answers(chat) })('llama-3.3-70b-versatile'),
  mistral: createMistral({ apiKey, fetch: answers(chat) })('mistral-large-latest'),
  alibaba: createAlibaba({ apiKey, fetch: answers(chat) })('qwen3-max'),
  'openai chat': createOpenAI({ apiKey, fetch: answers(chat) }).chat('gpt-5'),
};
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
for (const [name, model] of Object.entries(models)) {
  const { finishReason, content } = await model.doGenerate({ prompt });
  console.log(`${name}: ${finishReason.unified}, raw ${finishReason.raw}, ${content.length} parts`);
}
END

cat >expected.txt <<'END'
anthropic: length, raw model_context_window_exceeded, 0 parts
amazon-bedrock: other, raw model_context_window_exceeded, 0 parts
openai-compatible: other, raw model_context_window_exceeded, 0 parts
deepseek: other, raw model_context_window_exceeded, 0 parts
groq: other, raw model_context_window_exceeded, 0 parts
mistral: other, raw model_context_window_exceeded, 0 parts
alibaba: other, raw model_context_window_exceeded, 0 parts
openai chat: other, raw model_context_window_exceeded, 0 parts
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
