import type { SummaryStore } from '../stores/summary-store.ts';
import { expectNothing, expectSame, put, type ChecksOf } from './store-check.ts';
import { awkwardTexts } from './awkward-texts.ts';
import { neighboursOf } from './new-key.ts';

/** That values come back as they were, under their own keys alone. */
export const valueChecks: ChecksOf<SummaryStore> = {
  'holds nothing under an unknown key': async (store, key) => {
    expectNothing(await store.get(key), 'the value');
    await store.delete(key);
  },

  'gives every value back as it was': (store, key) =>
    expectKept(store, key, awkwardTexts.map(json)),

  'gives values back that look like other things than strings': (store, key) =>
    expectKept(store, key, jsonOfAllKinds),

  'gives values of 1 MB back as they were': (store, key) =>
    expectKept(store, key, ['x'.repeat(1_000_000), 'ä日😀'.repeat(111_111)].map(json)),

  'gives lone surrogates, escaped as JSON does, back as they were': (store, key) =>
    expectKept(store, key, ['\ud800', 'a\udfffb', '\ude00\ud83d'].map(json)),

  'puts a new value in the place of the old one': (store, key) =>
    expectKept(store, key, ['"a longer value"', '"short"', '"a longer value again"']),

  'keeps keys apart that differ in one character': async (store, key) => {
    const neighbours = neighboursOf(key);
    await put(store, key, '"own"');
    for (const neighbour of neighbours) {
      expectNothing(await store.get(neighbour), 'the value of a key that was not written');
      await put(store, neighbour, json(neighbour));
    }
    for (const neighbour of neighbours) {
      expectSame(await store.get(neighbour), json(neighbour), 'the value of another key');
      await store.delete(neighbour);
    }
    expectSame(await store.get(key), '"own"', 'the value');
  },

  'holds nothing any more under a key that was deleted': async (store, key) => {
    await put(store, key, '"value"');
    await store.delete(key);
    expectNothing(await store.get(key), 'the deleted value');
    await store.delete(key);
    expectSame(await put(store, key, '"again"'), true, 'whether it was written');
    expectSame(await store.get(key), '"again"', 'the value');
  },

  'keeps a value for as long as it may': async (store, key) => {
    await put(store, key, '"value"', 60_000);
    expectSame(await store.get(key), '"value"', 'the value');
  },
};

/** What clients that read JSON on their own account make something else of. */
const jsonOfAllKinds = [
  '{}',
  '[]',
  '0',
  '-1.50e3',
  '12345678901234567890',
  'true',
  'null',
  '{"id":"a","count":1}',
  '{ "spaced" : [1, 2.0] }',
  '{"__proto__":{"a":1},"constructor":{"prototype":1}}',
];

function json(value: string): string {
  return JSON.stringify(value);
}

async function expectKept(
  store: SummaryStore,
  key: string,
  values: readonly string[],
): Promise<void> {
  for (const value of values) {
    expectSame(await put(store, key, value), true, 'whether it was written');
    expectSame(await store.get(key), value, 'the value');
  }
}
