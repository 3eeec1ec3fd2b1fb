#!/bin/sh
# An edited assistant text is not sent to OpenAI Responses when it bears an item id.
#
# Versions: node 24.21.0, @ai-sdk/openai 4.0.118
# Behavior: With the default store, an assistant text with providerOptions.openai.itemId goes as
#   item_reference: the words of the prompt do not travel. With store false they do.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: the model reads the text that stands in the prompt.
# For users of a summarizing middleware: a shortened or edited message takes effect only without its
#   item ids; a middleware that edits a part has to drop them, those of a reasoning part before it
#   too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/openai@4.0.118

cat >seen.mjs <<'END'
import { createOpenAI } from '@ai-sdk/openai';

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
  { role: 'user', content: [{ type: 'text', text: 'Where?' }] },
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: 'A thought.',
        providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'abc' } },
      },
      {
        type: 'text',
        text: 'Edited by the application.',
        providerOptions: { openai: { itemId: 'msg_1' } },
      },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
];
for (const [title, providerOptions] of [
  ['default', undefined],
  ['store: false', { openai: { store: false } }],
]) {
  const { body } = await send((fetch) => createOpenAI({ apiKey: 'none', fetch })('gpt-5'), {
    prompt,
    providerOptions,
  });
  const items = body.input.slice(1, -1).map(({ type, role, id, content }) => type ?? `${role} ${content}`);
  console.log(`${title}: ${items.join(', ')}`);
}
END

cat >expected.txt <<'END'
default: item_reference, item_reference
store: false: reasoning, assistant Edited by the application.
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
