#!/bin/sh
# Anthropic's package moves the first system message to the top, wherever it stands.
#
# Versions: node 24.21.0, @ai-sdk/anthropic 4.0.105
# Behavior: Without a leading system message, the first one of the middle becomes the top-level
#   system prompt and leaves its place; with a leading one it stays in the middle. A second one
#   stays in both.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: a system message behind user messages stays where it is.
# For users of a summarizing middleware: a summary put in front as system message changes where a
#   later system message goes, and breaks the prompt cache there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/anthropic@4.0.105

cat >seen.mjs <<'END'
import { createAnthropic } from '@ai-sdk/anthropic';

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
const text = (role, words) => ({ role, content: [{ type: 'text', text: words }] });
const system = (content) => ({ role: 'system', content });
const middle = [
  text('user', 'one'),
  text('assistant', 'two'),
  system('A'),
  text('user', 'three'),
  text('assistant', 'four'),
  system('B'),
  text('user', 'five'),
];
for (const [title, prompt] of [
  ['without a leading system message', middle],
  ['with a leading system message', [system('L'), ...middle]],
]) {
  const { body } = await send((fetch) => createAnthropic({ apiKey: 'none', fetch })('claude-opus-4-8'), {
    prompt,
  });
  console.log(title);
  console.log('  top:', body.system.map((part) => part.text).join());
  console.log('  messages:', body.messages.map(({ role, content }) => `${role} ${content[0].text}`).join(', '));
}
END

cat >expected.txt <<'END'
without a leading system message
  top: A
  messages: user one, assistant two, user three, assistant four, system B, user five
with a leading system message
  top: L
  messages: user one, assistant two, system A, user three, assistant four, system B, user five
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
