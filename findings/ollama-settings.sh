#!/bin/sh
# ollama-ai-provider-v2 sends maxOutputTokens where Ollama's API has no such field.
#
# Versions: node 24.21.0, ollama-ai-provider-v2 4.0.1
# Behavior: maxOutputTokens goes to the top of the body of /api/chat as max_output_tokens (and
#   temperature beside it); options, where Ollama reads num_predict and num_ctx, is not sent.
#   Without prompt_eval_count the input tokens are 0.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: maxOutputTokens becomes options.num_predict, and a context length is set.
# For users of a summarizing middleware: a summary's limit is not passed on, the server's own
#   context length holds, and 0 tokens mean unknown; set providerOptions.ollama.options.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ollama-ai-provider-v2@4.0.1

cat >seen.mjs <<'END'
import { createOllama } from 'ollama-ai-provider-v2';

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
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
const answerWith = (count) => ({
  model: 'qwen3',
  created_at: '2026-11-28T00:00:00Z',
  message: { role: 'assistant', content: 'Hello.' },
  done: true,
  done_reason: 'stop',
  eval_count: 3,
  eval_duration: 1,
  ...count,
});
const model = (fetch) => createOllama({ baseURL: 'http://127.0.0.1/api', fetch })('qwen3');
for (const [title, count, providerOptions] of [
  ['counted', { prompt_eval_count: 9 }],
  ['not counted', {}],
  ['own options', {}, { ollama: { options: { num_ctx: 8192, num_predict: 200 } } }],
]) {
  const { body, usage } = await send(
    model,
    { prompt, maxOutputTokens: 200, temperature: 0.5, providerOptions },
    answerWith(count),
  );
  const { messages: _messages, ...settings } = body;
  console.log(`${title}: inputTokens.total ${usage.inputTokens.total}`);
  console.log(`  ${JSON.stringify(settings)}`);
}
END

cat >expected.txt <<'END'
counted: inputTokens.total 9
  {"model":"qwen3","temperature":0.5,"max_output_tokens":200,"think":false,"stream":false}
not counted: inputTokens.total 0
  {"model":"qwen3","temperature":0.5,"max_output_tokens":200,"think":false,"stream":false}
own options: inputTokens.total 0
  {"model":"qwen3","temperature":0.5,"max_output_tokens":200,"think":false,"options":{"num_ctx":8192,"num_predict":200},"stream":false}
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
