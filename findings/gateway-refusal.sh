#!/bin/sh
# The AI Gateway wraps a refusal of 400; the body stands in the error's cause, in a stream in data.
#
# Versions: node 24.21.0, ai 7.0.173
# Behavior: generateText throws GatewayInvalidRequestError with statusCode 400 and the provider's
#   words, without responseBody, which only its cause has. In a stream that began with 200 the error
#   is an AI_StreamProviderError with neither status nor body.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: an APICallError with statusCode and responseBody, as from any provider.
# For users of a summarizing middleware: whoever recognizes a context overflow has to read the cause
#   and the message too, and must not ask for a status.
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
import { createGateway, generateText, streamText } from 'ai';

const refusal = {
  message: 'prompt is too long: 210000 tokens > 200000 maximum',
  type: 'invalid_request_error',
};
const modelWith = (fetch) =>
  createGateway({ apiKey: 'none', baseURL: 'http://127.0.0.1/v1', fetch })('anthropic/claude-sonnet-4.5');
const describe = (error) =>
  `${error.name}, status ${error.statusCode}, retryable ${error.isRetryable}, body ${error.responseBody}`;

const plain = modelWith(async () => Response.json({ error: refusal }, { status: 400 }));
await generateText({ model: plain, prompt: 'Hi', maxRetries: 0 }).catch((error) => {
  console.log('generateText:', describe(error));
  console.log('  message:', error.message);
  console.log('  cause:', describe(error.cause));
});

const parts = [
  { type: 'stream-start', warnings: [] },
  { type: 'error', error: refusal },
];
const streamed = modelWith(
  async () =>
    new Response(parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    }),
);
const result = streamText({ model: streamed, prompt: 'Hi', maxRetries: 0, onError() {} });
for await (const part of result.fullStream) {
  if (part.type === 'error') {
    console.log('streamText:', describe(part.error));
    console.log('  message:', part.error.message);
    console.log('  data:', JSON.stringify(part.error.data));
  }
}
END

cat >expected.txt <<'END'
generateText: GatewayInvalidRequestError, status 400, retryable false, body undefined
  message: prompt is too long: 210000 tokens > 200000 maximum
  cause: AI_APICallError, status 400, retryable false, body {"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum","type":"invalid_request_error"}}
streamText: AI_StreamProviderError, status undefined, retryable false, body undefined
  message: prompt is too long: 210000 tokens > 200000 maximum
  data: {"message":"prompt is too long: 210000 tokens > 200000 maximum","type":"invalid_request_error"}
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
