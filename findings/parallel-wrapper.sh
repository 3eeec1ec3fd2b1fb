#!/bin/sh
# Calls that OpenAI wrapped as one go back under ids that its server never gave.
#
# Versions: node 24.21.0, @ai-sdk/openai 4.0.118
# Behavior: A call of the undeclared function parallel becomes one call for each tool with ids of
#   the package's making. The package puts it together again with previousResponseId only while
#   every result bears its provider options; it sends the made ids when one has lost them.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: calls keep the ids of the server, or the made ids lead back to it by
#   themselves.
# For users of a summarizing middleware: a store or a rewrite that loses providerOptions of one tool
#   result answers calls that the stored response does not have.
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

const wrapped = {
  tool_uses: ['a', 'b'].map((name) => ({ recipient_name: `functions.${name}`, parameters: {} })),
};
const answer = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-5',
  status: 'completed',
  output: [
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'parallel',
      status: 'completed',
      arguments: JSON.stringify(wrapped),
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
let body;
const model = createOpenAI({
  apiKey: 'none',
  fetch: async (url, init) => {
    body = JSON.parse(init.body);
    return Response.json(answer);
  },
}).responses('gpt-5');
const tools = ['a', 'b'].map((name) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object', properties: {} },
}));
const user = { role: 'user', content: [{ type: 'text', text: 'Go.' }] };
const { content } = await model.doGenerate({ prompt: [user], tools });
const calls = content.map(({ toolCallId, toolName, providerMetadata }) => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: {},
  providerOptions: providerMetadata,
}));
console.log(`calls: ${calls.map(({ toolName, toolCallId }) => `${toolName} ${toolCallId}`).join(', ')}`);
const results = calls.map((call) => ({
  ...call,
  type: 'tool-result',
  output: { type: 'text', value: `result of ${call.toolName}` },
}));
const bare = { ...results[1], providerOptions: undefined };
for (const [title, openai, sent] of [
  ['store: false', { store: false }, results],
  ['previousResponseId', { previousResponseId: 'resp_1' }, results],
  ['the same, one result bare', { previousResponseId: 'resp_1' }, [results[0], bare]],
]) {
  const prompt = [user, { role: 'assistant', content: calls }, { role: 'tool', content: sent }];
  await model.doGenerate({ prompt, tools, providerOptions: { openai } });
  console.log(`${title}:`);
  for (const { type, call_id, name, output } of body.input.slice(1))
    console.log(`  ${type} ${call_id} ${JSON.stringify(name ?? output)}`);
}
END

cat >expected.txt <<'END'
calls: a call_1_0, b call_1_1
store: false:
  function_call call_1_0 "a"
  function_call call_1_1 "b"
  function_call_output call_1_0 "result of a"
  function_call_output call_1_1 "result of b"
previousResponseId:
  function_call call_1 "parallel"
  function_call_output call_1 "result of a\nresult of b"
the same, one result bare:
  function_call call_1_0 "a"
  function_call call_1_1 "b"
  function_call_output call_1_0 "result of a"
  function_call_output call_1_1 "result of b"
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
