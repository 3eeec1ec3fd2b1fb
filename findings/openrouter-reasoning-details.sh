#!/bin/sh
# OpenRouter's package sends reasoning details of one id once, and plain reasoning never.
#
# Versions: node 24.21.0, @openrouter/ai-sdk-provider 3.1.0
# Behavior: Of two assistant messages with the same reasoning_details entry the first sends it, the
#   second an empty list; a reasoning part without details is left out.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: each message sends what it bears.
# For users of a summarizing middleware: when a summary covers the first message, the second begins
#   to send the details: the rest of the prompt changes, and a count of both was too high.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @openrouter/ai-sdk-provider@3.1.0

cat >seen.mjs <<'END'
import { createOpenRouter } from '@openrouter/ai-sdk-provider';

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
const detail = {
  type: 'reasoning.encrypted',
  id: 'r1',
  data: 'abc',
  format: 'openai-responses-v1',
  index: 0,
};
const providerOptions = { openrouter: { reasoning_details: [detail] } };
const step = (toolCallId) => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId, toolName: 'f', input: {}, providerOptions }],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId, toolName: 'f', output: { type: 'text', value: 'done' } },
    ],
  },
];
const user = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] };
const plain = {
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'A thought.' },
    { type: 'text', text: 'An answer.' },
  ],
};
const model = (fetch) => createOpenRouter({ apiKey: 'none', fetch })('openai/gpt-5');
for (const [title, prompt] of [
  ['whole history', [user, ...step('call_1'), ...step('call_2'), plain, user]],
  ['without the first step', [user, ...step('call_2'), plain, user]],
]) {
  const { body } = await send(model, { prompt });
  console.log(title);
  for (const message of body.messages.filter(({ role }) => role === 'assistant')) {
    const details = message.reasoning_details?.map(({ id }) => id);
    console.log(`  reasoning ${message.reasoning}, reasoning_details ${JSON.stringify(details)}`);
  }
}
END

cat >expected.txt <<'END'
whole history
  reasoning undefined, reasoning_details ["r1"]
  reasoning undefined, reasoning_details []
  reasoning undefined, reasoning_details undefined
without the first step
  reasoning undefined, reasoning_details ["r1"]
  reasoning undefined, reasoning_details undefined
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
