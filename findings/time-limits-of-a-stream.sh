#!/bin/sh
# firstChunkMs and chunkMs of streamText do not run while a middleware works.
#
# Versions: node 24.21.0, ai 7.0.173
# Behavior: With a middleware that takes 2 s before the call, timeouts of 500 ms for the first chunk
#   or between chunks do not fire; those for a step and for the whole abort the stream.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: firstChunkMs counts from the call of streamText.
# For users of a summarizing middleware: a summary made before the call is bounded by stepMs and
#   totalMs alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173

cat >seen.mjs <<'END'
import { streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

const model = wrapLanguageModel({
  model: new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'Hello.' },
          { type: 'text-end', id: '1' },
          {
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 1, text: 1, reasoning: 0 },
            },
          },
        ],
      }),
    }),
  }),
  middleware: {
    transformParams: async ({ params }) => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return params;
    },
  },
});
for (const name of ['firstChunkMs', 'chunkMs', 'stepMs', 'totalMs']) {
  const result = streamText({ model, prompt: 'Hi', timeout: { [name]: 500 }, onError() {} });
  const types = [];
  for await (const { type } of result.fullStream) types.push(type);
  console.log(`${name}: ends with ${types.at(-1)}`);
}
END

cat >expected.txt <<'END'
firstChunkMs: ends with finish
chunkMs: ends with finish
stepMs: ends with abort
totalMs: ends with abort
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
