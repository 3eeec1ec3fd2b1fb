import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from './bundle.ts';

let worker: Miniflare;

beforeAll(async () => {
  worker = new Miniflare({
    modules: true,
    script: await bundle('stores.ts'),
    compatibilityDate: '2026-07-01',
    compatibilityFlags: [],
    cf: false,
    d1Databases: ['D1'],
    durableObjects: { OBJECTS: { className: 'Conversations', useSQLite: true } },
  });
  await worker.ready;
});

afterAll(async () => worker.dispose());

it.each(['d1', 'durable-object'])('sqliteStore does what a store has to do: %s', async (path) => {
  const answer = await worker.dispatchFetch(`http://worker/${path}`);
  expect(await answer.json()).toEqual({ checks: 11, failures: [] });
});
