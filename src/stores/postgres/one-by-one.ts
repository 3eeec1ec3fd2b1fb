import { hasFunctions } from '../../checks/option-rule.ts';
import type { PostgresClient } from './postgres-client.ts';

/** The last query that each client was asked for, by any store. */
const lastQueries = new WeakMap<PostgresClient, Promise<unknown>>();

/**
 * A client that is asked one query at a time, where it has one connection alone: a `Client` of `pg` warns of being
 * asked for more, and is to refuse it. Pools and others take what comes.
 */
export function oneByOne(client: PostgresClient): PostgresClient {
  if (!hasFunctions(client, 'getTypeParser')) return client;
  return {
    query: async (text, values) => {
      const last = lastQueries.get(client) ?? Promise.resolve();
      const answer = last.then(async () => client.query(text, values));
      lastQueries.set(
        client,
        answer.catch(() => {}),
      );
      return answer;
    },
  };
}
