import type { ChromaClient, ChromaCollection } from '../../../src/stores/chroma/index.ts';

/** Which request fails, counted from 1: of any kind, or of one. */
export type Fault = { readonly isApplied: boolean } & (
  | { readonly any: number }
  | { readonly upsert: number }
);

/** The real client, of which one request fails, before the server has it or after. */
export function faultyClient(client: ChromaClient, fault: Fault): ChromaClient {
  let left = 'any' in fault ? fault.any : fault.upsert;
  const request = async <Result>(kind: string, send: () => Promise<Result>): Promise<Result> => {
    if ('any' in fault || kind === 'upsert') left -= 1;
    if (left !== 0) return send();
    left = -1;
    if (fault.isApplied) await send();
    throw new Error('injected');
  };
  return {
    getOrCreateCollection: async (options) => {
      const collection = await client.getOrCreateCollection(options);
      const faulty: ChromaCollection = {
        get: async (given) => request('get', () => collection.get(given)),
        query: async (given) => request('query', () => collection.query(given)),
        upsert: async (given) => request('upsert', () => collection.upsert(given)),
        delete: async (given) => request('delete', () => collection.delete(given)),
      };
      return faulty;
    },
  };
}
