#!/bin/sh
# A WorkflowAgent retries a failed model call inside of its step; the workflow never retries that step.
#
# Versions: node 24.21.0, ai 7.0.173, @ai-sdk/workflow 2.0.43, @ai-sdk/openai-compatible 3.0.92,
#   workflow and @workflow/vitest 5.0.0-beta.52, vitest 5.1.1, zod 4.6.7
# Behavior: After a 503 the agent's step calls the same model object again: its middleware runs a
#   second time in the same process, and what the first run kept in module scope is there. The step
#   itself has no retries. With maxRetries 0, or after three failures, the run ends for good, while
#   the workflow tries a step of your own again after the same failure.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: a durable workflow retries a model step as any other step, perhaps in
#   another process, where nothing of the first attempt is left.
# For users of a summarizing middleware: what it keeps in memory serves the retry, no store is
#   needed for that; give maxRetries for outages that last longer than six seconds.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
# Frameworks that workflow installs and this script does not use.
cat >package.json <<'END'
{
  "private": true,
  "type": "module",
  "overrides": {
    "@workflow/astro": "npm:@workflow/serde@5.0.0",
    "@workflow/cli": "npm:@workflow/serde@5.0.0",
    "@workflow/nest": "npm:@workflow/serde@5.0.0",
    "@workflow/next": "npm:@workflow/serde@5.0.0",
    "@workflow/nitro": "npm:@workflow/serde@5.0.0",
    "@workflow/nuxt": "npm:@workflow/serde@5.0.0",
    "@workflow/sveltekit": "npm:@workflow/serde@5.0.0",
    "@workflow/typescript-plugin": "npm:@workflow/serde@5.0.0"
  }
}
END
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173 \
  @ai-sdk/workflow@2.0.43 \
  @ai-sdk/openai-compatible@3.0.92 \
  workflow@5.0.0-beta.52 \
  @workflow/vitest@5.0.0-beta.52 \
  vitest@5.1.1 \
  zod@4.6.7 >npm.log

mkdir workflows
cat >workflows/chat.js <<'END'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { WorkflowAgent } from '@ai-sdk/workflow';
import { generateText, wrapLanguageModel } from 'ai';
import { getWritable } from 'workflow';

let kept = 0;

/** A model whose middleware tells the server which process it runs in, and how often it has run there. */
const wrapped = () =>
  wrapLanguageModel({
    model: createOpenAICompatible({ name: 'models', baseURL: process.env.MODEL_URL })('a-model'),
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => {
        kept += 1;
        return { ...params, headers: { 'x-run': `${process.pid} ${kept}` } };
      },
    },
  });

/** The same model in a form that crosses the steps of a workflow. */
class Model {
  specificationVersion = 'v4';
  provider = 'own';
  modelId = 'a-model';
  supportedUrls = {};
  static [Symbol.for('workflow-serialize')]() {
    return {};
  }
  static [Symbol.for('workflow-deserialize')]() {
    return new Model();
  }
  doStream(options) {
    return wrapped().doStream(options);
  }
}

export async function agent(settings) {
  'use workflow';
  const made = new WorkflowAgent({ model: new Model(), ...settings });
  const messages = [{ role: 'user', content: 'Go.' }];
  const { steps } = await made.stream({ messages, writable: getWritable() });
  return steps.at(-1).text;
}

async function ask() {
  'use step';
  const { text } = await generateText({ model: wrapped(), prompt: 'Go.', maxRetries: 0 });
  return text;
}

export async function ownStep() {
  'use workflow';
  return ask();
}
END

cat >seen.mjs <<'END'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildWorkflowTests, setupWorkflowTests, teardownWorkflowTests } from '@workflow/vitest';
import { start } from 'workflow/api';

let failures = 0;
let runs = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  runs.push(request.headers['x-run'].split(' ').map(Number));
  const answer = { id: 'answer', created: 1, model: 'a-model' };
  const choice = { index: 0, finish_reason: 'stop' };
  const said = { role: 'assistant', content: 'Done.' };
  if (failures > 0) {
    failures -= 1;
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"overloaded"}}');
  } else if (JSON.parse(body).stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ ...answer, choices: [{ ...choice, delta: said }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...answer, choices: [{ ...choice, message: said }] }));
  }
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.env.MODEL_URL = `http://127.0.0.1:${server.address().port}/v1`;

const folders = { cwd: import.meta.dirname, rootDir: import.meta.dirname };
await buildWorkflowTests(folders);
await setupWorkflowTests(folders);
for (const [title, name, count, settings] of [
  ['a step of your own, one 503', 'ownStep', 1],
  ['WorkflowAgent, one 503', 'agent', 1, {}],
  ['WorkflowAgent, four 503', 'agent', 4, {}],
  ['WorkflowAgent, one 503, maxRetries 0', 'agent', 1, { maxRetries: 0 }],
]) {
  [failures, runs] = [count, []];
  const run = await start({ workflowId: `workflow//./workflows/chat//${name}` }, [settings]);
  const end = await run.returnValue.then(
    (text) => `says ${text}`,
    ({ message }) => `fails: ${message.replace(/^.* failed after /, '')}`,
  );
  const isSame = runs.every(([pid, kept], index) => pid === runs[0][0] && kept === runs[0][1] + index);
  const where = runs.length === 1 ? '' : ` ${isSame ? 'from one' : 'not from one'} module scope`;
  console.log(`${title}: ${runs.length} requests${where}; ${end}`);
}
await teardownWorkflowTests();
process.exit(0);
END

cat >expected.txt <<'END'
a step of your own, one 503: 2 requests from one module scope; says Done.
WorkflowAgent, one 503: 2 requests from one module scope; says Done.
WorkflowAgent, four 503: 3 requests from one module scope; fails: 0 retries: Failed after 3 attempts. Last error: AI_APICallError: overloaded
WorkflowAgent, one 503, maxRetries 0: 1 requests; fails: 0 retries: overloaded
END

node_modules/.bin/node seen.mjs >seen.txt 2>log.txt
diff expected.txt seen.txt
echo 'as expected'
