#!/bin/sh
# A denial, or a picture, of a tool is an empty result after @ai-sdk/langchain.
#
# Versions: node 24.21.0, ai 7.0.173, @ai-sdk/langchain 2.0.296, @langchain/core 1.4.0,
#   @langchain/langgraph 1.7.3
# Behavior: convertModelMessages writes a denial and a picture of a tool as an empty ToolMessage,
#   an error without the status that LangChain has for it, and a search that a provider ran itself
#   as an ordinary tool call without a result. Reasoning is left out. There is no warning.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: the ToolMessage says that the tool was denied or failed, and has the
#   picture in its content.
# For users of a summarizing middleware: a history that was handed to LangChain has lost what was
#   denied and what failed, and a summary made from it cannot tell.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173 \
  @ai-sdk/langchain@2.0.296 \
  @langchain/core@1.4.0 \
  @langchain/langgraph@1.7.3

cat >seen.mjs <<'END'
import { convertModelMessages } from '@ai-sdk/langchain';

const data = { type: 'data', data: 'iVBORw0KGgo=' };
const picture = { type: 'file', mediaType: 'image/png', data };
const outputs = {
  'a text': { type: 'text', value: 'Done.' },
  'an error': { type: 'error-text', value: 'The page was not found.' },
  'a denial': { type: 'execution-denied', reason: 'Never delete files.' },
  'a text and a picture': {
    type: 'content',
    value: [{ type: 'text', text: 'The page:' }, picture],
  },
  'a picture': { type: 'content', value: [picture] },
};
for (const [name, output] of Object.entries(outputs)) {
  const result = { type: 'tool-result', toolCallId: 'call00001', toolName: 'shot', output };
  const [{ content, status }] = convertModelMessages([{ role: 'tool', content: [result] }]);
  console.log(`${name}: ${JSON.stringify(content)}, status ${status}`);
}
const call = { toolCallId: 'call00002', toolName: 'web_search' };
const messages = convertModelMessages([
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'I have to look.' },
      { type: 'tool-call', ...call, input: {}, providerExecuted: true },
      { type: 'tool-result', ...call, output: { type: 'json', value: ['a page'] } },
      { type: 'text', text: 'Found.' },
    ],
  },
]);
for (const { content, tool_calls: calls } of messages)
  console.log(`a search of the provider: ${JSON.stringify({ content, calls })}`);
END

cat >expected.txt <<'END'
a text: "Done.", status undefined
an error: "The page was not found.", status undefined
a denial: "", status undefined
a text and a picture: "The page:", status undefined
a picture: "", status undefined
a search of the provider: {"content":"Found.","calls":[{"id":"call00002","name":"web_search","args":{}}]}
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
