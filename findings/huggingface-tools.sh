#!/bin/sh
# Hugging Face's provider loses tool calls and results of the history.
#
# Versions: node 24.21.0, @ai-sdk/huggingface 2.0.48
# Behavior: Tool calls and tool results are left out of the request; reasoning is sent as ordinary
#   text of the assistant; tools themselves are declared.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: calls and results become items of type function_call and
#   function_call_output.
# For users of a summarizing middleware: after a tool ran, the model does not know what it did; a
#   summary in words is the only trace of tools it can read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/huggingface@2.0.48

cat >seen.mjs <<'END'
import { createHuggingFace } from '@ai-sdk/huggingface';

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
  { role: 'user', content: [{ type: 'text', text: 'What is the weather?' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'I need a tool.' },
      { type: 'tool-call', toolCallId: 'call00001', toolName: 'weather', input: { city: 'Oslo' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call00001',
        toolName: 'weather',
        output: { type: 'text', value: 'Rain.' },
      },
    ],
  },
];
const tools = [
  { type: 'function', name: 'weather', inputSchema: { type: 'object', properties: {} } },
];
const { body } = await send(
  (fetch) => createHuggingFace({ apiKey: 'none', fetch })('deepseek-ai/DeepSeek-V3-0324'),
  { prompt, tools },
);
for (const item of body.input) console.log(JSON.stringify(item));
console.log(`tools declared: ${body.tools.length}`);
END

cat >expected.txt <<'END'
{"role":"user","content":[{"type":"input_text","text":"What is the weather?"}]}
{"role":"assistant","content":[{"type":"output_text","text":"I need a tool."}]}
tools declared: 1
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
