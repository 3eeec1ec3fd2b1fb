import { checkInput, checkTexts, checkThat } from '../../checks/check-object.ts';
import { reasonOf } from '../reason-of.ts';
import { fromStoredText, toStoredText } from '../stored-text.ts';
import type { SummaryStore } from '../summary-store.ts';
import { timeToLive } from '../time-to-live.ts';
import type { RedisClient } from './redis-client.ts';
import { redisCommands } from './redis-commands.ts';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * Put in front of every key.
   * @default 'ai-sdk-summarization:'
   */
  readonly prefix?: string | undefined;
}

/**
 * Keeps summaries in Redis, where all instances of an application find them. Takes a client of `redis`
 * (version 5 or later), `ioredis` or `@upstash/redis` as it is, of a single server or a cluster: every command
 * has one key. The server removes what has expired.
 *
 * The store neither connects the client nor ends it. An operation rejects when the client fails, or has had no
 * connection for two seconds: it is not made up for later. A client of `redis` ends the process when
 * nobody listens to its `error` events: `client.on('error', …)`.
 *
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).on('error', console.error).connect();
 * const store = redisStore(client);
 *
 * @throws {SummarizationOptionError} when `client` is of another kind or `prefix` is not a string.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): SummaryStore {
  const commands = redisCommands(client);
  checkThat(commands !== undefined, 'client', client, redisClients);
  checkInput(options, 'prefix, or nothing');
  const { prefix = 'ai-sdk-summarization:' } = options;
  checkTexts({ prefix });
  return {
    get: async (key) => {
      const stored = await withoutCommand(commands.get(`${prefix}${key}`));
      if (stored === undefined) throw unexpected('GET', stored);
      return stored === null ? undefined : fromStoredText(stored);
    },
    set: async (key, value, { ifAbsent = false, ttlMs } = {}) => {
      const condition = { ifAbsent, ttlMs: timeToLive(ttlMs) };
      const answer = await withoutCommand(
        commands.set(`${prefix}${key}`, toStoredText(value), condition),
      );
      const isTaken = ifAbsent && answer === null;
      if (!isTaken && answer !== 'OK') throw unexpected('SET', answer);
      return !isTaken;
    },
    delete: async (key) => {
      const removed = await withoutCommand(commands.del(`${prefix}${key}`));
      if (removed !== 0 && removed !== 1) throw unexpected('DEL', removed);
    },
  };
}

const redisClients =
  'a client of redis (version 5 or later), ioredis or @upstash/redis, of one server or a cluster';

/** Rejects with what the client says of a failure, and nothing of the command. */
async function withoutCommand<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw new Error(`Redis: ${reasonOf(error)}`);
  });
}

/** An aborted request of Upstash, for one, is answered by the reason of the abort. */
function unexpected(command: string, answer: unknown): Error {
  return new Error(`Redis answered ${command} with ${typeof answer}, which is no answer to it.`);
}
