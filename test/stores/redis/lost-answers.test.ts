import { generateText } from 'ai';
import { Redis as Ioredis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArchive } from '../../../src/index.ts';
import { redisStore } from '../../../src/stores/redis-store.ts';
import { chat } from '../../support/messages.ts';
import { lastPrompt } from '../../support/prompts.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startLosingFront, type LosingFront } from '../../support/servers/losing-front.ts';
import { startRedis, type RedisServer } from '../../support/servers/redis-server.ts';
import { setUp } from '../../support/set-up.ts';

const secret = 'of all instances alike';

describe.skipIf(!isInstalled('redis-server'))(
  'a client that sends again what has no answer',
  () => {
    let server: RedisServer;
    let front: LosingFront;
    beforeAll(async () => {
      server = await startRedis();
      front = await startLosingFront(server.port, (command) => command.includes('\r\neval\r\n'));
    });
    afterAll(async () => {
      await front?.stop();
      await server?.stop();
    });

    it('has its turn and its summary all the same', async () => {
      const client = new Ioredis(front.port, '127.0.0.1', { retryStrategy: () => 1 });
      client.on('error', () => {});
      const store = redisStore(client);
      const { model, inner, summarizer, events } = setUp({
        store,
        secret,
        archive: true,
        maxSummaryCallsPerHour: 1,
        storeTimeoutMs: 60_000,
      });
      await generateText({ model, messages: chat(19) });
      // The lease, the slot of this hour and the record.
      expect(front.lost()).toBeGreaterThanOrEqual(3);
      expect(summarizer.doGenerateCalls).toHaveLength(1);
      expect(events.map(({ type }) => type)).not.toContain('fallback');
      const end = events.find((event) => event.type === 'end');
      if (end === undefined) throw new Error('expected a summary');
      const { record, coveredMessages } = end;
      const { messages } = await readArchive({ store, secret, record });
      expect(messages).toHaveLength(coveredMessages);
      client.disconnect();

      const direct = new Ioredis(server.url);
      const other = setUp({ store: redisStore(direct), secret });
      await generateText({ model: other.model, messages: chat(19) });
      expect(other.summarizer.doGenerateCalls).toHaveLength(0);
      expect(lastPrompt(other.inner)).toEqual(lastPrompt(inner));
      direct.disconnect();
    });
  },
);
