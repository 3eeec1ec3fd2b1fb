import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { evalArguments } from '../../../src/cli/eval/eval-arguments.ts';
import { evaluate } from '../../../src/cli/evaluate.ts';
import { chat } from '../../support/messages.ts';
import { startLoopbackServer, type LoopbackServer } from '../../support/servers/loopback-server.ts';
import { record } from '../../wire/json-view.ts';
import { responseOf } from '../../wire/servers/openai-responses.ts';
import { summaryAnswer } from '../../wire/servers/summary-answer.ts';
import { runCommand } from './run-command.ts';

interface Seen {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly text: string;
}

const seen: Seen[] = [];
const longest = 14_000;
let server: LoopbackServer;
let folder = '';

/** Behaves like OpenAI: refuses every first request of three for its rate, and prompts that are too long. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'eval-openai-'));
  server = await startLoopbackServer(async (request, response) => {
    const body = record(await json(request));
    const text = JSON.stringify(body);
    const reply = (status: number, value: object, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    seen.push({ path: request.url, authorization: request.headers.authorization, text });
    if (seen.length % 3 === 1) {
      const error = { message: 'Rate limit reached.', type: 'tokens', code: 'rate_limit_exceeded' };
      reply(429, { error }, { 'retry-after-ms': '1' });
    } else if (text.length > longest) {
      const message = 'Your input exceeds the context window of this model.';
      const error = { message, type: 'invalid_request_error', code: 'context_length_exceeded' };
      reply(400, { error: { ...error, param: 'input' } });
    } else {
      const { headers, chunks } = responseOf(body, answerTo(text), usage);
      response.writeHead(200, headers);
      for (const chunk of chunks) response.write(chunk);
      response.end();
    }
  });
  vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
  vi.stubEnv('OPENAI_API_KEY', 'a-key');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const usage = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 100,
  output_tokens_details: { reasoning_tokens: 50 },
};

function answerTo(text: string): string {
  if (text.includes('You judge whether')) return '{"verdict":"yes"}';
  return text.includes('You keep the record') ? summaryAnswer : 'It was in Ghent.';
}

it('goes through the real provider to a server that limits rates and lengths', async () => {
  const file = path.join(folder, 'chat.json');
  const questions = [{ question: 'Where was it?', answer: 'Ghent' }];
  writeFileSync(file, JSON.stringify({ messages: chat(60), questions }));
  const names = ['--model', 'gpt-5-mini', '--judge', 'gpt-5-mini', '--provider', '@ai-sdk/openai'];
  const limits = ['--context', '3000', '--max-output', '500', '--max-cost', '1'];
  const given = [file, ...names, ...limits, '--price', '0.25,2', '--json'];
  const { output, result: isWhole } = await runCommand('', async (terminal) =>
    evaluate(evalArguments(given), terminal),
  );
  const evaluation = JSON.parse(output);
  const right = evaluation.methods.map(
    (figures: { method: string; accuracy: { mean: number }; tooLong: number }) => [
      figures.method,
      figures.accuracy.mean,
      figures.tooLong,
    ],
  );
  expect(right).toEqual([
    ['full', 0, 1],
    ['prune', 0, 1],
    ['drop-oldest', 1, 0],
    ['rolling', 1, 0],
    ['rule-based', 1, 0],
    ['middleware', 1, 0],
  ]);
  expect(isWhole).toBe(true);
  expect(evaluation.tooLong).toEqual({ 'Your input exceeds the context window of this model.': 2 });
  const answered = seen.filter(({ text }, index) => index % 3 !== 0 && text.length <= longest);
  expect(evaluation.paid.all).toBeCloseTo(answered.length * 0.00045, 8);
  const ours = evaluation.methods.at(-1);
  expect(ours.preparing.degraded).toBe(0);
  expect(ours.preparing.summaries).toBeGreaterThan(0);
  expect(new Set(seen.map(({ path: to }) => to))).toEqual(new Set(['/v1/responses']));
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer a-key']),
  );
  expect(seen.every(({ text }) => text.includes('"max_output_tokens":500'))).toBe(true);
});
