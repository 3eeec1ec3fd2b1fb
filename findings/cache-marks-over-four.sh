#!/bin/sh
# Alibaba's package sends every cache mark, on an empty text too; Anthropic's drops the last ones.
#
# Versions: node 24.21.0, @ai-sdk/alibaba 2.0.58, @ai-sdk/anthropic 4.0.105
# Behavior: Anthropic's package sends the first four of six marks; Alibaba's sends all six and warns
#   that the last four take effect. A mark on an assistant message with a call alone makes its
#   content, otherwise null, an empty text with the mark.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: both keep four, the last ones, as they reach furthest.
# For users of a summarizing middleware: a middleware that keeps the marks of kept messages has to
#   count them: with Anthropic the newest, at the end, are lost.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @ai-sdk/alibaba@2.0.58 \
  @ai-sdk/anthropic@4.0.105

cat >seen.mjs <<'END'
import { createAlibaba } from '@ai-sdk/alibaba';
import { createAnthropic } from '@ai-sdk/anthropic';

const apiKey = 'none';
const answers = {
  alibaba: {
    id: 'chat_1',
    object: 'chat.completion',
    created: 1,
    model: 'qwen3-max',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'four' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  anthropic: {
    type: 'message',
    id: 'msg_1',
    model: 'claude-sonnet-4-5',
    role: 'assistant',
    content: [{ type: 'text', text: 'four' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};
const models = {
  alibaba: (fetch) => createAlibaba({ apiKey, fetch })('qwen3-max'),
  anthropic: (fetch) => createAnthropic({ apiKey, fetch })('claude-sonnet-4-5'),
};
const call = { toolCallId: 'call_1', toolName: 'f' };
const tools = [{ type: 'function', name: 'f', inputSchema: { type: 'object', properties: {} } }];
for (const [name, makeModel] of Object.entries(models)) {
  let body;
  const model = makeModel(async (url, init) => {
    body = JSON.parse(init.body);
    return Response.json(answers[name]);
  });
  const providerOptions = { [name]: { cacheControl: { type: 'ephemeral' } } };
  const marked = (role, ...content) => ({ role, content, providerOptions });
  const { warnings } = await model.doGenerate({
    prompt: [
      { role: 'system', content: 'S', providerOptions },
      marked('user', { type: 'text', text: 'one' }),
      marked('assistant', { type: 'text', text: 'two' }),
      marked('user', { type: 'text', text: 'three' }),
      marked('assistant', { type: 'tool-call', ...call, input: {} }),
      marked('tool', { type: 'tool-result', ...call, output: { type: 'text', value: 'r' } }),
    ],
    tools,
  });
  const messages = [...(body.system ? [{ role: 'system', content: body.system }] : []), ...body.messages];
  const holders = messages.map((message) =>
    JSON.stringify(message).includes('cache_control') ? `${message.role} marked` : message.role,
  );
  console.log(`${name}: ${holders.join(', ')}; ${warnings.length} warnings`);
  console.log(`  the call: ${JSON.stringify(messages.at(-2).content)}`);
}
END

cat >expected.txt <<'END'
alibaba: system marked, user marked, assistant marked, user marked, assistant marked, tool marked; 2 warnings
  the call: [{"type":"text","text":"","cache_control":{"type":"ephemeral"}}]
anthropic: system marked, user marked, assistant marked, user marked, assistant, user; 2 warnings
  the call: [{"type":"tool_use","id":"call_1","name":"f","input":{}}]
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
