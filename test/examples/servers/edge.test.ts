import { EdgeVM } from '@edge-runtime/vm';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { startChatServer } from '../../support/servers/chat-server.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startRedis } from '../../support/servers/redis-server.ts';
import { startUpstashFront } from '../../support/servers/upstash-front.ts';
import {
  contextLength,
  growUntilSummarised,
  sendChat,
  summarised,
  tenants,
  type Post,
} from './chat-client.ts';

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** The worker in one file, as a platform is given it; nothing of Node may be in it. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL('../../../examples/edge/worker.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'worker',
    platform: 'browser',
    conditions: ['worker', 'edge-light'],
  });
  return outputFiles[0]?.text ?? '';
}

/** Starts an isolate that knows nothing; `settled` waits for what goes on behind its answers. */
function startIsolate(code: string, env: Readonly<Record<string, string>>) {
  const vm = new EdgeVM();
  vm.evaluate(code);
  const works: Promise<unknown>[] = [];
  const { context } = vm;
  const given = { env, waitUntil: (work: Promise<unknown>) => works.push(work) };
  Object.assign(context, { given });
  const post: Post = async (token, body) => {
    Object.assign(context, { request: { token, body: JSON.stringify(body) } });
    const response: Response = await vm.evaluate(`worker.default.fetch(
      new Request('https://edge.example/chat', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + request.token },
        body: request.body,
      }),
      given.env,
      given,
    )`);
    return response;
  };
  return { post, settled: async () => Promise.allSettled(works) };
}

describe.skipIf(!isInstalled('redis-server'))('the example edge', () => {
  it('summarises behind its answers, and another isolate sends the same summary', async () => {
    const redis = await startRedis();
    ends.push(redis.stop);
    const [upstash, models] = await Promise.all([startUpstashFront(redis.url), startChatServer()]);
    ends.push(upstash.stop, models.close);
    const env = {
      MODEL_URL: models.url,
      MODEL: 'a-model',
      CONTEXT_LENGTH: String(contextLength),
      UPSTASH_REDIS_REST_URL: upstash.url,
      UPSTASH_REDIS_REST_TOKEN: upstash.token,
      SUMMARY_SECRET: 'a secret of this test',
      TENANTS: tenants,
    };
    const code = await bundle();
    const first = startIsolate(code, env);
    expect(await sendChat(first.post, 'one', 1)).toContain('Understood.');
    expect((await first.post('nobody', {})).status).toBe(401);
    expect((await first.post('one', { messages: 'none' })).status).toBe(400);

    const length = await growUntilSummarised(first.post, models);
    await first.settled();
    const bills = models.bills();
    const second = startIsolate(code, env);
    await sendChat(second.post, 'one', length);
    expect(models.prompts.at(-1)).toContain(summarised);
    await second.settled();
    expect(models.bills()).toBe(bills);
  });
});
