#!/bin/sh
# Reported input tokens are a sum over several requests, not the size of one prompt.
#
# Versions: node 24.21.0, @ai-sdk/google 4.0.121, @ai-sdk/anthropic 4.0.105
# Behavior: Google's package follows finishReason CONTINUATION with further requests and adds their
#   prompt tokens; Anthropic's adds up usage.iterations (a compaction of 6,200 and a message of
#   1,000 are reported as 7,200).
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: usage.inputTokens.total says how long the prompt of the call was.
# For users of a summarizing middleware: taken as the size of the prompt, such a total starts a
#   summary much too early.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/google@4.0.121 \
  @ai-sdk/anthropic@4.0.105

cat >seen.mjs <<'END'
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';

const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Write a long story.' }] }];
/** Generates with a `fetch` that gives one answer after another. */
async function usageOf(makeModel, answers) {
  let requests = 0;
  const fetch = async () => Response.json(answers[requests++]);
  const { usage } = await makeModel(fetch).doGenerate({ prompt });
  return `${requests} request(s), inputTokens.total ${usage.inputTokens.total}`;
}

const gemini = (finish, text) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, ...finish }],
  usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 50, totalTokenCount: 1050 },
});
console.log(
  'google, one continuation:',
  await usageOf((fetch) => createGoogle({ apiKey: 'none', fetch })('gemini-3-pro-preview'), [
    gemini({ finishReason: 'CONTINUATION', continuationToken: 'more' }, 'Once '),
    gemini({ finishReason: 'STOP' }, 'upon a time.'),
  ]),
);

const claude = {
  type: 'message',
  id: 'msg_1',
  model: 'claude-sonnet-4-5',
  role: 'assistant',
  content: [{ type: 'text', text: 'Once upon a time.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 1000,
    output_tokens: 50,
    iterations: [
      { type: 'compaction', input_tokens: 6200, output_tokens: 300 },
      { type: 'message', input_tokens: 1000, output_tokens: 50 },
    ],
  },
};
console.log(
  'anthropic, a compaction and a message:',
  await usageOf((fetch) => createAnthropic({ apiKey: 'none', fetch })('claude-sonnet-4-5'), [claude]),
);
END

cat >expected.txt <<'END'
google, one continuation: 2 request(s), inputTokens.total 2000
anthropic, a compaction and a message: 1 request(s), inputTokens.total 7200
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
