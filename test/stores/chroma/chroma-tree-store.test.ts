import { embedMany } from 'ai';
import { MockEmbeddingModelV4 } from 'ai/test';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  chromaTreeStore,
  type ChromaClient,
  type ChromaCollection,
  type ChromaTreeStore,
} from '../../../src/state/stores/chroma-tree-store.ts';
import { untyped } from '../../support/untyped.ts';
import { treeNodes } from '../../support/tree-nodes.ts';
import { sampleText, sampleTree } from '../../support/sample-tree.ts';
import { describeTreeStore } from '../trees/describe-tree-store.ts';
import { startChroma } from './chroma-server.ts';

const server = await startChroma();
afterAll(async () => server?.stop());

/** The client of the server; not reached where there is none. */
function chroma(): ChromaClient {
  if (server === undefined) throw new Error('No server.');
  return server.client;
}

/** The real client, whose requests go through a function on their way to the server. */
function watchedClient(
  onRequest: <Result>(kind: keyof ChromaCollection, send: () => Promise<Result>) => Promise<Result>,
): ChromaClient {
  return {
    getOrCreateCollection: async (options) => {
      const collection = await chroma().getOrCreateCollection(options);
      return {
        get: async (given) => onRequest('get', () => collection.get(given)),
        query: async (given) => onRequest('query', () => collection.query(given)),
        upsert: async (given) => onRequest('upsert', () => collection.upsert(given)),
        delete: async (given) => onRequest('delete', () => collection.delete(given)),
      };
    },
  };
}

/** The real client, of which the request of a number fails, counted from 1, before the server has it or after. */
function faultyClient(fails: number, isApplied: boolean): ChromaClient {
  let requests = 0;
  return watchedClient(async (_kind, send) => {
    requests += 1;
    if (requests !== fails) return send();
    if (isApplied) await send();
    throw new Error('injected');
  });
}

/** Embeds texts by the letters they hold, through the AI SDK. */
async function embed(values: string[]): Promise<number[][]> {
  const model = new MockEmbeddingModelV4({
    maxEmbeddingsPerCall: 40,
    doEmbed: async ({ values: texts }) => ({ embeddings: texts.map(letters), warnings: [] }),
  });
  return (await embedMany({ model, values })).embeddings;
}

function letters(text: string): number[] {
  const counts = Array.from({ length: 27 }, () => 0);
  counts[26] = 0.1;
  for (const letter of text.toLowerCase()) {
    const index = letter.charCodeAt(0) - 97;
    if (index >= 0 && index < 26) counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

function newName(): string {
  return `test-${crypto.randomUUID()}`;
}

/** A store, by default with a collection of its own. */
function newStore(collectionName = newName(), client: ChromaClient = chroma()): ChromaTreeStore {
  return chromaTreeStore({ client, collectionName, embed });
}

async function collectionOf(name: string): Promise<ChromaCollection> {
  return chroma().getOrCreateCollection({ name, embeddingFunction: { generate: embed } });
}

/** The texts of all records of a collection, those that nobody reads too. */
async function recordsIn(name: string): Promise<readonly (string | null)[]> {
  return (await (await collectionOf(name)).get({})).documents;
}

describe.skipIf(server === undefined)('chromaTreeStore', () => {
  describeTreeStore(() => newStore());

  it('keeps nothing of what is deleted while it is being replaced', async () => {
    const name = newName();
    await newStore(name).persist('chat', sampleTree('secret', 2));
    let isDeleted = false;
    const client = watchedClient(async (kind, send) => {
      const answer = await send();
      const isReplaced = (await recordsIn(name)).includes('final new');
      if (kind === 'upsert' && isReplaced && !isDeleted) {
        isDeleted = true;
        await newStore(name).delete('chat');
      }
      return answer;
    });
    await newStore(name, client).persist('chat', sampleText('final new'));
    expect(isDeleted).toBe(true);
    expect(await recordsIn(name)).toEqual([]);
  });

  it('stays empty when a conversation is deleted while its summaries are written', async () => {
    const name = newName();
    const store = newStore(name);
    let writes = 0;
    const client = watchedClient(async (kind, send) => {
      if (kind === 'upsert') writes += 1;
      if (kind === 'upsert' && writes === 2) await store.delete('chat');
      return send();
    });
    await newStore(name, client).persist('chat', sampleTree('late', 110));
    expect(writes).toBe(2);
    expect(await store.list('chat')).toEqual([]);
    expect(await store.getFinalSummary('chat')).toBeUndefined();
  });

  it('describes a summary by the fields it has in a file', async () => {
    const name = newName();
    await newStore(name).persist('chat', sampleTree('a', 2));
    const { documents, metadatas } = await (
      await collectionOf(name)
    ).query({
      queryEmbeddings: [letters('chunk 1 a')],
      nResults: 1,
      where: { $and: [{ conversation_id: 'chat' }, { chunk_index: 1 }] },
    });
    expect(documents).toEqual([['chunk 1 a']]);
    expect(metadatas[0]?.[0]).toMatchObject({
      id: 'chat:summary:L1:1',
      level: 1,
      parent_group: 0,
      is_final: false,
      summary_level: 'HIERARCHICAL',
      input_tokens: 3000,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('has each summary under its id, of the newest tree alone', async () => {
    const name = newName();
    const store = newStore(name);
    for (const chunks of [7, 2]) await store.persist('chat', sampleTree(`of ${chunks}`, chunks));
    const collection = await chroma().getOrCreateCollection({
      name,
      embeddingFunction: { generate: embed },
    });
    const ids = [
      'chat:summary:L1:1',
      'chat:summary:L2:0',
      'chat:summary:L3:0',
      'chat:summary:L1:5',
    ];
    const found = await untyped<{ get: (given: object) => Promise<{ documents: string[] }> }>(
      collection,
    ).get({ ids });
    expect(found.documents.toSorted()).toEqual(['chunk 1 of 2', 'final of 2', 'group 0 of 2']);
    expect(await recordsIn(name)).toHaveLength(4);
  });

  it('finds what is nearest, in one conversation or all', async () => {
    const store = newStore();
    await store.persist('rivers', sampleText('The Danube flows through Vienna'));
    await store.persist('cakes', sampleText('Sacher torte with apricot jam'));
    await store.persist('cakes', sampleText('Apricot jam for a Sacher torte'));
    const found = await store.search('apricot jam torte', { limit: 3 });
    expect(found.map(({ node }) => node.conversationId)).toEqual(['cakes', 'rivers']);
    expect(found[0]?.distance).toBeLessThan(found[1]?.distance ?? 0);
    const inOne = await store.search('apricot jam torte', { conversationId: 'rivers' });
    expect(inOne.map(({ node }) => node.content)).toEqual(['The Danube flows through Vienna']);
    expect(await store.search('anything', { conversationId: 'none' })).toEqual([]);
    await expect(store.search('anything', { limit: 0 })).rejects.toThrow(/limit/);
  });

  it.each([true, false])(
    'shows one complete tree whichever request fails (applied all the same: %s)',
    async (isApplied) => {
      const name = newName();
      const store = newStore(name);
      const trees = [sampleTree('old', 130)];
      await store.persist('chat', sampleTree('old', 130));
      let failures = 0;
      for (let request = 1; request <= 10; request += 1) {
        const tree = sampleTree(`${request}`, request % 2 === 0 ? 110 : 3);
        trees.push(tree);
        const writing = newStore(name, faultyClient(request, isApplied)).persist('chat', tree);
        const [{ status }] = await Promise.allSettled([writing]);
        const nodes = await store.list('chat');
        const shown = trees.find(({ summary }) => summary === nodes.at(-1)?.content);
        expect(shown).toBeDefined();
        expect(nodes).toEqual(treeNodes('chat', shown ?? tree, nodes[0]?.createdAt ?? ''));
        expect(status === 'rejected' || shown === tree).toBe(true);
        failures += status === 'rejected' ? 1 : 0;
      }
      expect(failures).toBeGreaterThan(3);
    },
  );

  it('removes what a writer that died left behind, later', async () => {
    const name = newName();
    // Reads what is there, writes two batches.
    const dying = newStore(name, faultyClient(3, false));
    await expect(dying.persist('chat', sampleTree('dead', 110))).rejects.toThrow('injected');
    expect(await recordsIn(name)).toHaveLength(100);
    const store = newStore(name);
    await store.persist('chat', sampleText('alive'));
    expect(await recordsIn(name)).toEqual(['alive']);
    await store.delete('chat');
    expect(await recordsIn(name)).toEqual([]);
  });

  it.each([
    async () => [[1]],
    async (texts: string[]) => texts.map(() => [Number.NaN]),
    async (texts: string[]) => texts.map(() => []),
  ])('changes nothing when the texts are not embedded: %s', async (wrongEmbed) => {
    const collectionName = newName();
    const store = newStore(collectionName);
    await store.persist('chat', sampleText('kept'));
    const wrong = chromaTreeStore({ client: chroma(), collectionName, embed: wrongEmbed });
    await expect(wrong.persist('chat', sampleTree('lost', 2))).rejects.toThrow(/vectors/);
    expect(await store.getFinalSummary('chat')).toBe('kept');
  });
});

it('a Chroma server that cannot be reached is reported, and asked again', async () => {
  const getOrCreateCollection = vi.fn<ChromaClient['getOrCreateCollection']>(async () => {
    throw new Error('down');
  });
  const store = newStore(newName(), { getOrCreateCollection });
  await expect(store.list('chat')).rejects.toThrow('down');
  await expect(store.persist('chat', sampleText('a'))).rejects.toThrow('down');
  expect(getOrCreateCollection).toHaveBeenCalledTimes(2);
});
