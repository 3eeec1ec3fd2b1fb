import { afterAll, describe, expect, it } from 'vitest';
import { startChatServer } from '../../support/servers/chat-server.ts';
import { startExample } from '../../support/servers/example-process.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startRedis } from '../../support/servers/redis-server.ts';
import { until } from '../../support/until.ts';
import {
  contextLength,
  growUntilSummarized,
  postTo,
  sendChat,
  summarized,
  tenants,
} from './chat-client.ts';

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

describe('the example hono-redis', () => {
  it.skipIf(!isInstalled('redis-server'))(
    'sends one summary from all its processes, to each tenant its own',
    async () => {
      const [database, models] = await Promise.all([startRedis(), startChatServer()]);
      ends.push(database.stop, models.close);
      const startServer = async () => {
        const port = await freePort();
        const server = await startExample(
          new URL('../../../examples/hono-redis/server.ts', import.meta.url),
          {
            REDIS_URL: database.url,
            MODEL_URL: models.url,
            MODEL: 'a-model',
            SUMMARY_SECRET: 'a secret of this test',
            CONTEXT_LENGTH: String(contextLength),
            TENANTS: tenants,
            PORT: String(port),
          },
        );
        ends.push(server.kill);
        return { ...server, post: postTo(port) };
      };
      const first = await startServer();
      expect(await sendChat(first.post, 'one', 1)).toContain('Understood.');
      expect((await first.post('nobody', {})).status).toBe(401);
      expect((await first.post('one', { messages: 'none' })).status).toBe(400);

      const length = await growUntilSummarized(first.post, models);
      await first.kill();
      const bills = models.bills();
      const second = await startServer();
      await sendChat(second.post, 'one', length);
      expect(models.prompts.at(-1)).toContain(summarized);
      expect(models.bills()).toBe(bills);
      // The same messages of another tenant are another conversation, with a summary of its own.
      await sendChat(second.post, 'two', length);
      await until(() => models.bills() > bills);
      expect(models.bills()).toBe(bills + 1);
      await second.end();
    },
  );
});
