import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { asyncLocalStorage, cancellationSignal, Context, heartbeat } from '@temporalio/activity';
import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { build, createNitro, prepare } from 'nitro';
import { expect, it, onTestFinished } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { good, said, scriptedTalk, talkFor } from './support.ts';

const here = import.meta.dirname;

/** Runs a script of this folder in a process of its own, and gives what it says of how its conversation went. */
async function run(program: string, ...given: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, given, { cwd: here });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

const program = (name: string): string => path.join(here, 'node_modules', name);

it('Bun', async () => {
  expect(await run(program('@oven/bun-linux-x64/bin/bun'), 'in-runtime.ts')).toEqual(good);
});

it('Deno', async () => {
  const deno = program('@deno/linux-x64-glibc/deno');
  const flags = ['run', '--allow-all', '--no-check', '--cached-only', '--node-modules-dir=manual'];
  expect(await run(deno, ...flags, 'in-runtime.ts')).toEqual(good);
});

it('Nest, by require', async () => {
  expect(await run(process.execPath, 'nest.cjs')).toEqual(good);
});

it('an activity of Temporal, with its heartbeat and its cancellation', async () => {
  const talk = scriptedTalk('v4', 'temporal');
  const middleware = summarizationMiddleware({
    ...talk.options,
    summarizerModelPreference: talk.summarizer,
    onEvent: () => heartbeat(),
  });
  const model = wrapLanguageModel({ model: talk.model, middleware });
  /** As a worker is given it. */
  const answer = async (messages: ModelMessage[]): Promise<string> => {
    const abortSignal = cancellationSignal();
    return (await generateText({ model, messages, abortSignal })).text;
  };
  let beats = 0;
  const { signal } = new AbortController();
  const context = new Context(
    untyped({}),
    new Promise(() => {}),
    signal,
    () => {
      beats += 1;
    },
    undefined,
    untyped(console),
    untyped({}),
    untyped({}),
  );
  const history: ModelMessage[] = [];
  const outcome = await talkFor(talk, async (content) => {
    history.push({ role: 'user', content });
    const text = await asyncLocalStorage.run(context, answer, [...history]);
    history.push({ role: 'assistant', content: text });
  });
  expect(outcome).toEqual(good);
  expect(beats).toBeGreaterThan(outcome.calls);
});

it('Nitro, as it is built', async () => {
  const folder = mkdtempSync(path.join(here, 'node_modules/.nitro-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const nitro = await createNitro({
    rootDir: path.join(here, 'nitro'),
    serverDir: '.',
    preset: 'standard',
    compatibilityDate: '2026-07-01',
    logLevel: 0,
    buildDir: path.join(folder, 'build'),
    output: { dir: path.join(folder, 'output') },
  });
  await prepare(nitro);
  await build(nitro);
  await nitro.close();
  const { default: server } = await import(path.join(folder, 'output/server/index.mjs'));
  const messages: ModelMessage[] = [];
  let outcome: unknown;
  for (let turn = 0; turn < good.calls; turn += 1) {
    messages.push({ role: 'user', content: said(turn, 'Question') });
    const body = JSON.stringify(messages);
    const request = new Request('http://server/chat', { method: 'POST', body });
    const answer = Object(await (await server.fetch(request)).json());
    ({ outcome } = answer);
    messages.push({ role: 'assistant', content: answer.text });
  }
  expect(outcome).toEqual(good);
});
