import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startRedis, type RedisServer } from '../../support/servers/redis-server.ts';
import { startInstance, type Answered, type Instance } from './restart/instances.ts';

const summaryMs = 1000;
const downMs = 1500;
/** Milliseconds that a store is waited for, once a call. */
const storeTimeoutMs = 2000;
/** Milliseconds for all that is done, on a machine with much else to do. */
const workMs = 4000;
/** Milliseconds from which on a store that is down may have failed three times, and is left alone by all. */
const outageMs = 3000;

/** Messages of a conversation that has come to its trigger, and of one that does not fit without a summary. */
const atTrigger = 19;
const overLimit = 25;

describe.skipIf(!isInstalled('redis-server'))('a Redis that is killed, and soon back', () => {
  let server: RedisServer;
  let instances: Instance[] = [];
  const bills = new Map<string, number>();
  afterEach(async () => {
    await Promise.all(instances.map(async ({ end }) => end()));
    await server?.stop();
    instances = [];
    bills.clear();
  });

  const askAll = async (name: string, messages: number): Promise<Answered[]> =>
    Promise.all(instances.map(async ({ ask }) => ask(name, messages)));

  it.each([
    ['queue', overLimit, ['redis', 'ioredis', 'redis', 'ioredis']],
    ['do not queue', atTrigger, Array.from({ length: 4 }, () => 'redis without a queue')],
    ['do not queue', overLimit, Array.from({ length: 4 }, () => 'redis without a queue')],
  ])(
    'costs what it costs meanwhile: one bill a summary once it is back; clients that %s, %s messages',
    async (queueing, messages, clients) => {
      server = await startRedis();
      const paying = new Map<string, () => void>();
      const onPaying = (name: string): void => {
        bills.set(name, (bills.get(name) ?? 0) + 1);
        paying.get(name)?.();
      };
      instances = await Promise.all(
        clients.map(async (client) =>
          startInstance([server.url, client, `${summaryMs}`], onPaying),
        ),
      );
      await askAll('conversation-0', messages);
      expect(bills.get('conversation-0')).toBe(1);

      const isPaying = new Promise<void>((resolve) => paying.set('conversation-1', resolve));
      const during = [askAll('conversation-1', messages)];
      await isPaying;
      const wentDownAt = performance.now();
      await server.goDown();
      const isBack = delay(downMs).then(server.comeBack);
      for (const name of ['conversation-2', 'conversation-3', 'conversation-4']) {
        during.push(askAll(name, messages));
        await delay(downMs / 3);
      }
      await isBack;
      // For who asks a client that queues nothing, a server is back when the client has seen it.
      if (queueing !== 'queue') await Promise.all(instances.map(({ reconnected }) => reconnected));
      // A busy machine makes more of a moment: what has been down for so long is left alone for as long again, and who
      // leaves it alone pays.
      const wasDownMs = performance.now() - wentDownAt;
      if (wasDownMs >= outageMs) await delay(wasDownMs + 1000);

      const names = Array.from({ length: 6 }, (_, index) => `conversation-after${index}`);
      const after = await Promise.all(
        names.map(async (name, index) => delay(index * 500).then(() => askAll(name, messages))),
      );
      expect(names.map((name) => bills.get(name))).toEqual(names.map(() => 1));
      for (const summaries of after) {
        expect(new Set(summaries.map(({ summary }) => summary)).size).toBe(1);
        expect(summaries[0]?.summary).toContain('[summary-depth:0]');
      }
      // Who waits for the summary of another process sees within a second that it is there.
      expect(longest(after.flat())).toBeLessThan(summaryMs + 1000 + workMs);
      const waited = (await Promise.all(during)).flat();
      // The summary of another process, until it was not to be seen any more, then the own one.
      expect(longest(waited)).toBeLessThan(2 * summaryMs + storeTimeoutMs + workMs);
    },
  );
});

function longest(answers: readonly Answered[]): number {
  return Math.max(...answers.map(({ tookMs }) => tookMs));
}
