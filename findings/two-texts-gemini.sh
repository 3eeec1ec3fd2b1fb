#!/bin/sh
# Two text parts of one tool result are two function responses before Gemini 3.
#
# Versions: node 24.21.0, @ai-sdk/google 4.0.121
# Behavior: For Gemini 2.5 each text part of a tool result is a functionResponse of its own with the
#   same call id; for Gemini 3 the texts are joined by a line break in one.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: one result is one functionResponse, whatever it holds.
# For users of a summarizing middleware: a function-calling turn must have as many responses as
#   calls; join the text parts of a result before it is sent to Gemini 2.5.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/google@4.0.121

cat >seen.mjs <<'END'
import { createGoogle } from '@ai-sdk/google';

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
const prompt = [
  { role: 'user', content: [{ type: 'text', text: 'Look it up.' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call00001', toolName: 'find', input: {} }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call00001',
        toolName: 'find',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
      },
    ],
  },
];
for (const id of ['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-3-pro-preview']) {
  const { body } = await send((fetch) => createGoogle({ apiKey: 'none', fetch })(id), { prompt });
  const responses = body.contents.at(-1).parts.map((part) => part.functionResponse);
  console.log(id, JSON.stringify(responses));
}
END

cat >expected.txt <<'END'
gemini-2.5-flash [{"id":"call00001","name":"find","response":{"name":"find","content":"one"}},{"id":"call00001","name":"find","response":{"name":"find","content":"two"}}]
gemini-2.5-pro [{"id":"call00001","name":"find","response":{"name":"find","content":"one"}},{"id":"call00001","name":"find","response":{"name":"find","content":"two"}}]
gemini-3-pro-preview [{"id":"call00001","name":"find","response":{"name":"find","content":"one\ntwo"}}]
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
