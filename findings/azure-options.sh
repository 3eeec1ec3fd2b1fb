#!/bin/sh
# One option under azure makes Azure's package ignore all options under openai.
#
# Versions: node 24.21.0, @ai-sdk/azure 4.0.85
# Behavior: Options of a call are read from azure, from openai only when azure has none; options of
#   a part from azure alone.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: openai options work everywhere, as they do for a call without azure
#   options.
# For users of a summarizing middleware: a store: false beside azure options is not sent; an
#   assistant text with an azure item id is sent as a reference then, and an edit of it never
#   arrives.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/azure@4.0.85

cat >seen.mjs <<'END'
import { createAzure } from '@ai-sdk/azure';

const answer = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'a-model',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'msg_2',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'four', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
let body;
const azure = createAzure({
  resourceName: 'none',
  apiKey: 'none',
  fetch: async (url, init) => {
    body = JSON.parse(init.body);
    return Response.json(answer);
  },
});
const text = (role, words, providerOptions) => ({
  role,
  content: [{ type: 'text', text: words, providerOptions }],
});
const effort = { reasoningEffort: 'low' };
for (const [providerOptions, key] of [
  [{ openai: { store: false, ...effort } }, 'azure'],
  [{ openai: { store: false }, azure: effort }, 'azure'],
  [{ openai: { store: false }, azure: effort }, 'openai'],
]) {
  await azure('gpt-5').doGenerate({
    prompt: [
      text('user', 'one'),
      text('assistant', 'two', { [key]: { itemId: 'msg_1' } }),
      text('user', 'three'),
    ],
    providerOptions,
  });
  console.log(`${JSON.stringify(providerOptions)}, item id of ${key}:`);
  const { store, reasoning, input } = body;
  console.log(`  store ${store}, effort ${reasoning.effort}, ${JSON.stringify(input[1])}`);
}
END

cat >expected.txt <<'END'
{"openai":{"store":false,"reasoningEffort":"low"}}, item id of azure:
  store false, effort low, {"role":"assistant","content":"two"}
{"openai":{"store":false},"azure":{"reasoningEffort":"low"}}, item id of azure:
  store undefined, effort low, {"type":"item_reference","id":"msg_1"}
{"openai":{"store":false},"azure":{"reasoningEffort":"low"}}, item id of openai:
  store undefined, effort low, {"role":"assistant","content":"two"}
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
