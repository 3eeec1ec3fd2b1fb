// The databases of Cloudflare, given to a store: each path says how many checks of a store it passes.

import {
  sqliteStore,
  type DurableObjectClient,
  type PreparingClient,
} from 'ai-sdk-summarization/sqlite';
import { storeChecks } from 'ai-sdk-summarization/testing';

interface Env {
  readonly D1: PreparingClient;
  readonly OBJECTS: { getByName(name: string): { fetch(request: Request): Promise<Response> } };
}

type Client = DurableObjectClient | PreparingClient;

async function checked(client: Client): Promise<Response> {
  const checks = storeChecks(() => sqliteStore({ client }), {
    makeOther: () => sqliteStore({ client: async () => client }),
  });
  const failures: string[] = [];
  for (const { name, run } of checks)
    await run().catch((error) => failures.push(`${name}: ${error}`));
  return Response.json({ checks: checks.length, failures });
}

export class Conversations {
  readonly #storage: DurableObjectClient;

  constructor(state: { readonly storage: DurableObjectClient }) {
    this.#storage = state.storage;
  }

  async fetch(): Promise<Response> {
    return checked(this.#storage);
  }
}

export default {
  fetch: async (request: Request, env: Env): Promise<Response> =>
    new URL(request.url).pathname === '/d1'
      ? checked(env.D1)
      : env.OBJECTS.getByName('one').fetch(request),
};
