#!/bin/sh
# A message steered into a run is in the UI message and not in responseMessages.
#
# Versions: node 24.21.0, ai 7.0.173
# Behavior: The model saw the steered user messages between the steps; the UI message keeps them in
#   place; responseMessages has the answers to them alone, one behind another.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: responseMessages is what has to be added to the history to go on, steered
#   messages too.
# For users of a summarizing middleware: a server that adds responseMessages to its history loses
#   words of the user; a record of what the model saw does not match it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173

cat >seen.mjs <<'END'
import {
  convertToModelMessages,
  experimental_createSteering,
  isStepCount,
  jsonSchema,
  readUIMessageStream,
  streamText,
  tool,
} from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish = (reason) => ({
  type: 'finish',
  finishReason: { unified: reason, raw: reason },
  usage,
});
const started = { type: 'stream-start', warnings: [] };
const said = (text) => [
  started,
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: text },
  { type: 'text-end', id: '1' },
  finish('stop'),
];
const called = (toolName, toolCallId, input = '{}') => [
  started,
  { type: 'tool-call', toolCallId, toolName, input },
  finish('tool-calls'),
];
/** A model that answers with one of `answers` after the other. */
function answering(...answers) {
  const rest = [...answers];
  return new MockLanguageModelV4({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: rest.shift() }) }),
  });
}

const show = (messages) =>
  messages
    .map(({ role, content }) => {
      const parts = typeof content === 'string' ? [{ text: content }] : content;
      return `${role}(${parts.map(({ text, toolName }) => text ?? toolName)})`;
    })
    .join(' ');

const steering = experimental_createSteering();
const model = answering(called('look', 'call_1'), said('Seen.'), said('Bye.'));
const look = tool({
  inputSchema: jsonSchema({ type: 'object', properties: {} }),
  execute() {
    steering.steer('Faster.');
    steering.queue('And then?');
    return 'a view';
  },
});
const result = streamText({
  model,
  prompt: 'Go.',
  tools: { look },
  stopWhen: isStepCount(5),
  experimental_steering: steering,
});
let message;
for await (const state of readUIMessageStream({ stream: result.toUIMessageStream() }))
  message = state;
console.log(`the model saw: ${show(model.doStreamCalls.at(-1).prompt)}`);
console.log(`responseMessages: ${show(await result.responseMessages)}`);
const stored = JSON.parse(JSON.stringify(message));
console.log(`from the UI message: ${show(await convertToModelMessages([stored]))}`);
END

cat >expected.txt <<'END'
the model saw: user(Go.) assistant(look) tool(look) user(Faster.) assistant(Seen.) user(And then?)
responseMessages: assistant(look) tool(look) assistant(Seen.) assistant(Bye.)
from the UI message: assistant(look) tool(look) user(Faster.) assistant(Seen.) user(And then?) assistant(Bye.)
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
