#!/bin/sh
# Missing usage is zero and a filtered answer is stop in workers-ai-provider.
#
# Versions: node 24.21.0, workers-ai-provider 4.0.0
# Behavior: Without usage, inputTokens.total is 0; finish_reason content_filter is unified stop (raw
#   keeps it); a stream that ends without a last chunk finishes as error with raw stream-truncated,
#   and its usage is 0.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: unknown usage is undefined, and content_filter is content-filter.
# For users of a summarizing middleware: zero is no size of a prompt, and a summary that the filter
#   cut looks whole unless finishReason.raw is read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  workers-ai-provider@4.0.0

cat >seen.mjs <<'END'
import { createWorkersAI } from 'workers-ai-provider';

const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
const modelWith = (answer) =>
  createWorkersAI({ binding: { run: async () => answer } })('@cf/meta/llama-3.3-70b-instruct-fp8-fast');
const choice = (finish_reason) => ({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason }],
});
for (const [title, answer] of [
  ['no reason', { response: 'Hello' }],
  ['content_filter', choice('content_filter')],
  ['length, with usage', { ...choice('length'), usage: { prompt_tokens: 9, completion_tokens: 1 } }],
]) {
  const { finishReason, usage } = await modelWith(answer).doGenerate({ prompt });
  const { unified, raw } = finishReason;
  console.log(`${title}: ${unified}, raw ${raw}, inputTokens.total ${usage.inputTokens.total}`);
}
const half = new Response('data: {"response":"Hel"}\n\n').body;
const { stream } = await modelWith(half).doStream({ prompt });
for await (const { type, finishReason, usage } of stream) {
  if (type !== 'finish') continue;
  const { unified, raw } = finishReason;
  console.log(`cut stream: ${unified}, raw ${raw}, inputTokens.total ${usage.inputTokens.total}`);
}
END

cat >expected.txt <<'END'
no reason: stop, raw stop, inputTokens.total 0
content_filter: stop, raw content_filter, inputTokens.total 0
length, with usage: length, raw length, inputTokens.total 9
cut stream: error, raw stream-truncated, inputTokens.total 0
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
