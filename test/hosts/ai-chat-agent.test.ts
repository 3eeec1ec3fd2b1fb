import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, it, onTestFinished } from 'vitest';
import { good } from './support.ts';

it("Cloudflare's AIChatAgent, in workerd, with the SQLite of its Durable Object", async () => {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/ai-chat-agent.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    // Whose paths lead to the source.
    tsconfigRaw: {},
    // What Wrangler does: one of the packages asks for it by `require`.
    alias: { path: 'node:path' },
    banner: { js: "import * as path from 'node:path'; const require = () => path;" },
  });
  const worker = new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? '',
    compatibilityDate: '2026-07-01',
    compatibilityFlags: ['nodejs_compat'],
    cf: false,
    durableObjects: { CHATS: { className: 'Chat', useSQLite: true } },
  });
  onTestFinished(async () => worker.dispose());
  const answer = await worker.dispatchFetch('http://worker/');
  expect(await answer.text()).toBe(JSON.stringify(good));
});
