#!/bin/sh
# A document in a tool result: sent, or an empty result in its place.
#
# Versions: node 24.21.0, @ai-sdk/openai 4.0.118, @ai-sdk/open-responses 2.0.36, @ai-sdk/google
#   4.0.121, @ai-sdk/amazon-bedrock 5.0.101, @ai-sdk/anthropic 4.0.105, @ai-sdk/xai 5.0.12
# Behavior: xAI's package and Google's interactions send an empty result in place of a PDF or CSV
#   file, Anthropic's in place of a CSV file; the other packages send the document. xAI's gives no
#   warning, Anthropic's one.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: a package that sends pictures of tool results sends documents, or says that
#   it cannot.
# For users of a summarizing middleware: the model may never have seen a document that a count
#   includes; a text in its place costs less and says more.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/openai@4.0.118 \
  @ai-sdk/open-responses@2.0.36 \
  @ai-sdk/google@4.0.121 \
  @ai-sdk/amazon-bedrock@5.0.101 \
  @ai-sdk/anthropic@4.0.105 \
  @ai-sdk/xai@5.0.12

cat >seen.mjs <<'END'
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { createOpenAI } from '@ai-sdk/openai';
import { createXai } from '@ai-sdk/xai';

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
  'openai responses': (fetch) => createOpenAI({ apiKey, fetch }).responses('gpt-5'),
  'open-responses': (fetch) =>
    createOpenResponses({ name: 'local', url: 'http://127.0.0.1/v1/responses', fetch })('a-model'),
  'amazon-bedrock': (fetch) =>
    createAmazonBedrock({ region: 'us-east-1', apiKey, fetch })('amazon.nova-pro-v1:0'),
  google: (fetch) => createGoogle({ apiKey, fetch })('gemini-2.5-pro'),
  'google interactions': (fetch) => createGoogle({ apiKey, fetch }).interactions('gemini-2.5-pro'),
  anthropic: (fetch) => createAnthropic({ apiKey, fetch })('claude-sonnet-4-5'),
  xai: (fetch) => createXai({ apiKey, fetch })('grok-4'),
};
const answers = {
  anthropic: {
    type: 'message',
    id: 'msg_1',
    model: 'claude-sonnet-4-5',
    role: 'assistant',
    content: [{ type: 'text', text: 'Read.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  xai: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'grok-4',
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Read.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
};
const call = { toolCallId: 'call00001', toolName: 'read' };
const promptWith = (file) => [
  { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
  { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', ...call, output: { type: 'content', value: [file] } }],
  },
];
const tools = [{ type: 'function', name: 'read', inputSchema: { type: 'object', properties: {} } }];
for (const [mediaType, words] of [
  ['application/pdf', '%PDF-1.4'],
  ['text/csv', 'a,b'],
]) {
  const data = btoa(words);
  const prompt = promptWith({ type: 'file', mediaType, data: { type: 'data', data } });
  for (const [name, makeModel] of Object.entries(models)) {
    const { body, warnings } = await send(makeModel, { prompt, tools }, answers[name]);
    const told = warnings ? `, ${warnings.length} warnings` : '';
    const last = JSON.stringify((body.messages ?? body.input ?? body.contents).at(-1));
    console.log(`${mediaType}, ${name}: ${last.includes(data) ? 'sent' : `${last}${name in answers ? told : ''}`}`);
  }
}
END

cat >expected.txt <<'END'
application/pdf, openai responses: sent
application/pdf, open-responses: sent
application/pdf, amazon-bedrock: sent
application/pdf, google: sent
application/pdf, google interactions: {"type":"user_input","content":[{"type":"function_result","call_id":"call00001","name":"read","result":[]}]}
application/pdf, anthropic: sent
application/pdf, xai: {"type":"function_call_output","call_id":"call00001","output":[]}, 0 warnings
text/csv, openai responses: sent
text/csv, open-responses: sent
text/csv, amazon-bedrock: sent
text/csv, google: sent
text/csv, google interactions: {"type":"user_input","content":[{"type":"function_result","call_id":"call00001","name":"read","result":[]}]}
text/csv, anthropic: {"role":"user","content":[{"type":"tool_result","tool_use_id":"call00001","content":[]}]}, 1 warnings
text/csv, xai: {"type":"function_call_output","call_id":"call00001","output":[]}, 0 warnings
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
