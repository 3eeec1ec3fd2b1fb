#!/bin/sh
# A later system message joins the first one in front, in one of two APIs of the same package.
#
# Versions: node 24.21.0, @ai-sdk/open-responses 2.0.36, @ai-sdk/mistral 4.0.87, @ai-sdk/google
#   4.0.121
# Behavior: open-responses, Mistral's conversations and Google's interactions join all system
#   messages into one field of instructions and say nothing; Mistral's chat keeps the place,
#   Google's ordinary API throws.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: an API of the same package keeps to the rule of the other; open-responses
#   keeps the place, as its format has a system role.
# For users of a summarizing middleware: a summary that stands as system message in the middle moves
#   before what it follows; put it in front, or send it as a user message.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/open-responses@2.0.36 \
  @ai-sdk/mistral@4.0.87 \
  @ai-sdk/google@4.0.121

cat >seen.mjs <<'END'
import { createGoogle } from '@ai-sdk/google';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenResponses } from '@ai-sdk/open-responses';

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
  'open-responses': (fetch) =>
    createOpenResponses({ name: 'local', url: 'http://127.0.0.1/v1/responses', fetch })('a-model'),
  'mistral conversation': (fetch) =>
    createMistral({ apiKey, fetch }).conversation('mistral-large-latest'),
  'mistral chat': (fetch) => createMistral({ apiKey, fetch })('mistral-large-latest'),
  'google interactions': (fetch) => createGoogle({ apiKey, fetch }).interactions('gemini-2.5-pro'),
  google: (fetch) => createGoogle({ apiKey, fetch })('gemini-2.5-pro'),
};
const text = (role, words) => ({ role, content: [{ type: 'text', text: words }] });
const prompt = [
  { role: 'system', content: 'A' },
  text('user', 'one'),
  text('assistant', 'two'),
  { role: 'system', content: 'B' },
  text('user', 'three'),
];
for (const [name, makeModel] of Object.entries(models)) {
  const { body, error } = await send(makeModel, { prompt });
  const items = body && (body.messages ?? body.input ?? body.inputs);
  const roles = items?.map(({ role, type }) => role ?? type).join(', ');
  const front = body && JSON.stringify(body.instructions ?? body.system_instruction);
  console.log(`${name}: ${body ? `${front ?? 'no instructions'}; ${roles}` : `no request, ${error.message}`}`);
}
END

cat >expected.txt <<'END'
open-responses: "A\nB"; user, assistant, user
mistral conversation: "A\n\nB"; user, assistant, user
mistral chat: no instructions; system, user, assistant, system, user
google interactions: "A\n\nB"; user_input, model_output, user_input
google: no request, 'system messages are only supported at the beginning of the conversation' functionality not supported.
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
