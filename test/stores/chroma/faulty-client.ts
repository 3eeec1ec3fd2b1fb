import type { ChromaClient, ChromaCollection } from '../../../src/stores/chroma-tree-store.ts';

/** What is asked of a collection. */
export type RequestKind = 'get' | 'query' | 'upsert' | 'delete';

/** The real client, whose requests go through a function on their way to the server. */
export function watchedClient(
  client: ChromaClient,
  onRequest: <Result>(kind: RequestKind, send: () => Promise<Result>) => Promise<Result>,
): ChromaClient {
  return {
    getOrCreateCollection: async (options) => {
      const collection = await client.getOrCreateCollection(options);
      const watched: ChromaCollection = {
        get: async (given) => onRequest('get', () => collection.get(given)),
        query: async (given) => onRequest('query', () => collection.query(given)),
        upsert: async (given) => onRequest('upsert', () => collection.upsert(given)),
        delete: async (given) => onRequest('delete', () => collection.delete(given)),
      };
      return watched;
    },
  };
}

/** Which request fails, counted from 1: of any kind, or of one. */
export type Fault = { readonly isApplied: boolean } & (
  | { readonly any: number }
  | { readonly upsert: number }
);

/** The real client, of which one request fails, before the server has it or after. */
export function faultyClient(client: ChromaClient, fault: Fault): ChromaClient {
  let left = 'any' in fault ? fault.any : fault.upsert;
  return watchedClient(client, async (kind, send) => {
    if ('any' in fault || kind === 'upsert') left -= 1;
    if (left !== 0) return send();
    left = -1;
    if (fault.isApplied) await send();
    throw new Error('injected');
  });
}
