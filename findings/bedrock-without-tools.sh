#!/bin/sh
# Bedrock's package leaves out all tool messages when a call declares no tools.
#
# Versions: node 24.21.0, @ai-sdk/amazon-bedrock 5.0.101
# Behavior: Calls and results of the history vanish, and the user messages around them become one.
#   With a response schema, Llama and Nova get a tool named json, so that the results stay; Claude
#   has an output format of its own, and they vanish.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: the history is sent as it is, or the request is refused.
# For users of a summarizing middleware: a summary asked for at the end of the sent prompt, without
#   the tools, is written by a model that never saw a tool's result.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/amazon-bedrock@5.0.101

cat >seen.mjs <<'END'
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';

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
        output: { type: 'text', value: 'the result' },
      },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'Sum it up.' }] },
];
const tools = [{ type: 'function', name: 'find', inputSchema: { type: 'object', properties: {} } }];
const responseFormat = { type: 'json', schema: { type: 'object', properties: {} } };
for (const id of [
  'meta.llama3-3-70b-instruct-v1:0',
  'amazon.nova-pro-v1:0',
  'anthropic.claude-sonnet-4-5-20250929-v1:0',
]) {
  for (const [title, options] of [
    ['tools', { tools }],
    ['no tools', {}],
    ['no tools, JSON', { responseFormat }],
  ]) {
    const { body } = await send(
      (fetch) => createAmazonBedrock({ region: 'us-east-1', apiKey: 'none', fetch })(id),
      { prompt, ...options },
    );
    const roles = body.messages.map(({ role }) => role).join(', ');
    const declared = body.toolConfig?.tools?.map(({ toolSpec }) => toolSpec?.name).filter(Boolean);
    const result = JSON.stringify(body).includes('the result') ? 'sent' : 'lost';
    console.log(`${id}, ${title}: ${roles}; result ${result}; tools ${declared ?? 'none'}`);
  }
}
END

cat >expected.txt <<'END'
meta.llama3-3-70b-instruct-v1:0, tools: user, assistant, user; result sent; tools find
meta.llama3-3-70b-instruct-v1:0, no tools: user; result lost; tools none
meta.llama3-3-70b-instruct-v1:0, no tools, JSON: user, assistant, user; result sent; tools json
amazon.nova-pro-v1:0, tools: user, assistant, user; result sent; tools find
amazon.nova-pro-v1:0, no tools: user; result lost; tools none
amazon.nova-pro-v1:0, no tools, JSON: user, assistant, user; result sent; tools json
anthropic.claude-sonnet-4-5-20250929-v1:0, tools: user, assistant, user; result sent; tools find
anthropic.claude-sonnet-4-5-20250929-v1:0, no tools: user; result lost; tools none
anthropic.claude-sonnet-4-5-20250929-v1:0, no tools, JSON: user; result lost; tools none
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
