#!/bin/sh
# Bytes that a tool returns reach every provider as digits; some other values as {}.
#
# Versions: node 24.21.0, ai 7.0.173, @ai-sdk/anthropic 4.0.105, @ai-sdk/google 4.0.121,
#   @ai-sdk/openai 4.0.118
# Behavior: generateText writes a tool's return value as JSON and reads it back. A Uint8Array is
#   an object with a name for each byte, a Buffer a list of numbers; an ArrayBuffer, a Blob and an
#   Error are {}. Packages that send pictures of tool results send the digits too.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: bytes become base64 or an error, and the message of an error survives.
# For users of a summarizing middleware: a picture of 3,000 bytes in a return value is over 30,000
#   characters; a tool should return files by toModelOutput.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173 \
  @ai-sdk/anthropic@4.0.105 \
  @ai-sdk/google@4.0.121 \
  @ai-sdk/openai@4.0.118

cat >seen.mjs <<'END'
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const inputSchema = jsonSchema({ type: 'object' });

/** The messages after a tool has returned `value`. */
async function messagesWith(value) {
  const call = { type: 'tool-call', toolCallId: 'call00001', toolName: 'shot', input: '{}' };
  const text = { type: 'text', text: 'Seen.' };
  let steps = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      steps += 1;
      return steps === 1
        ? { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] }
        : { content: [text], finishReason: { unified: 'stop' }, usage, warnings: [] };
    },
  });
  const tools = { shot: tool({ inputSchema, execute: async () => ({ value }) }) };
  const prompt = 'Take a screenshot.';
  const { responseMessages } = await generateText({ model, tools, prompt, stopWhen: isStepCount(2) });
  return [{ role: 'user', content: prompt }, ...responseMessages.slice(0, 2)];
}
const start = [137, 80, 78, 71];
const values = {
  'a Uint8Array': new Uint8Array(start),
  'a Buffer': Buffer.from(start),
  'an ArrayBuffer': new Uint8Array(start).buffer,
  'a Blob': new Blob(['text']),
  'an Error': new Error('The page was not found.'),
};
for (const [name, value] of Object.entries(values)) {
  const [{ output }] = (await messagesWith(value)).at(-1).content;
  console.log(`${name}: ${JSON.stringify(output)}`);
}
const bytes = Uint8Array.from({ length: 3000 }, (_, index) => index % 256);
const messages = await messagesWith(bytes);
const models = {
  anthropic: (fetch) => createAnthropic({ apiKey: 'none', fetch })('claude-sonnet-4-5'),
  google: (fetch) => createGoogle({ apiKey: 'none', fetch })('gemini-3-pro-preview'),
  'openai responses': (fetch) => createOpenAI({ apiKey: 'none', fetch })('gpt-5'),
};
for (const [name, makeModel] of Object.entries(models)) {
  let body = '';
  const model = makeModel(async (url, init) => {
    body = init.body;
    return Response.json({ error: { message: 'recorded' } }, { status: 401 });
  });
  await generateText({ model, messages, maxRetries: 0 }).catch(() => {});
  const isDigits = body.replaceAll('\\', '').includes('"7":7,"8":8,"9":9,"10":10');
  const { length } = JSON.stringify({ value: bytes });
  console.log(`3,000 bytes, ${name}: ${isDigits ? `digits, ${length} characters` : 'something else'}`);
}
END

cat >expected.txt <<'END'
a Uint8Array: {"type":"json","value":{"value":{"0":137,"1":80,"2":78,"3":71}}}
a Buffer: {"type":"json","value":{"value":{"type":"Buffer","data":[137,80,78,71]}}}
an ArrayBuffer: {"type":"json","value":{"value":{}}}
a Blob: {"type":"json","value":{"value":{}}}
an Error: {"type":"json","value":{"value":{}}}
3,000 bytes, anthropic: digits, 30581 characters
3,000 bytes, google: digits, 30581 characters
3,000 bytes, openai responses: digits, 30581 characters
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
