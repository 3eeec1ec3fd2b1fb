import { afterAll, describe, expect, it } from 'vitest';
import {
  eraseConversation,
  type SummaryStore,
  type SummaryTreeStore,
  type Message,
} from '../../src/index.ts';
import { seed } from '../../src/entries/handoff/index.ts';
import { markdownTreeStore } from '../../src/entries/node/index.ts';
import { chromaTreeStore } from '../../src/state/stores/chroma-tree-store.ts';
import { temporaryFolder } from '../node/folders.ts';
import { startChroma } from '../stores/chroma/chroma-server.ts';
import { bytesIn, engines } from '../stores/engines.ts';
import { words as chatter } from '../support/messages.ts';
import { sealedText } from '../support/sealed-text.ts';
import { secret, send, summarize } from '../support/summarized-chat.ts';

/** A store of trees, and all that it keeps wherever it keeps it. */
interface Trees {
  readonly store: SummaryTreeStore;
  readonly bytes: () => Promise<string>;
}

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const chroma = await startChroma();
ends.push(async () => chroma?.stop());

const trees: Readonly<Record<string, () => Promise<Trees>>> = {
  'files of Markdown': async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    return { store, bytes: async () => bytesIn(folder) };
  },
  ...(chroma && {
    Chroma: async () => {
      const embed = async (texts: string[]) => texts.map(({ length }) => [1, length]);
      const collectionName = `erased-${crypto.randomUUID()}`;
      const store = chromaTreeStore({ client: chroma.client, collectionName, embed });
      const bytes = async (): Promise<string> => {
        const collection = await chroma.client.getOrCreateCollection({
          name: collectionName,
          embeddingFunction: { generate: embed },
        });
        return JSON.stringify(await collection.get({}));
      };
      return { store, bytes };
    },
  }),
};

/** Words that stand nowhere but in the conversation. */
const words = ['Quillfeather', 'Brackenholm', 'Zephyrine', 'Oxtongue'];

/** A chat in which the words are said by everybody, and stay said. */
const talk: readonly Message[] = Array.from({ length: 24 }, (_, index) => {
  const text = `${words[index % words.length]} pays ${index + 100} for the mill at Brackenholm. Never tell Zephyrine! ${chatter(index, 80)}.`;
  return index % 2 === 0
    ? { role: 'user', content: [{ type: 'text', text }] }
    : { role: 'assistant', content: [{ type: 'text', text }] };
});

/** How a word may stand there: as it is, and in base64 at each place that it can begin at. */
function formsOf(word: string): readonly string[] {
  return [
    word,
    ...[0, 1, 2].map((before) => {
      const encoded = Buffer.from(`${' '.repeat(before)}${word}`).toString('base64');
      return encoded.slice(Math.ceil((before * 4) / 3), -4);
    }),
  ];
}

function wordsIn(bytes: string): readonly string[] {
  return words.filter((word) => formsOf(word).some((form) => bytes.includes(form)));
}

/** Values that a store was given: those that tell of an erasure, and all others. */
interface GivenValues {
  readonly erasures: string[];
  readonly others: Set<string>;
}

function watched(store: SummaryStore): readonly [SummaryStore, GivenValues] {
  const values: GivenValues = { erasures: [], others: new Set() };
  const compareAndSet: SummaryStore['compareAndSet'] = (key, entry) => {
    const isPlain = entry.value.split(':')[2] === 'plain';
    const text = sealedText(entry.value);
    if (text.startsWith('{"epoch":"0') || (isPlain && text === ''))
      values.erasures.push(entry.value);
    else values.others.add(entry.value);
    return store.compareAndSet(key, entry);
  };
  return [{ ...store, compareAndSet }, values];
}

/**
 * Pieces of values that stand among the bytes, but for what an erasure says as well: the originals are compressed, so
 * that no word is found in them.
 */
function piecesIn(bytes: string, { erasures, others }: GivenValues): readonly string[] {
  return [...others].flatMap((value) =>
    Array.from({ length: Math.floor(value.length / 64) }, (_, piece) =>
      value.slice(64 * piece, 64 * piece + 64),
    ).filter((piece) => bytes.includes(piece) && !erasures.some((said) => said.includes(piece))),
  );
}

/** The texts of those values that stand among the bytes, as a reader of the store sees them: values are compressed. */
function textsIn(bytes: string, { others }: GivenValues): string {
  return [...others]
    .filter((value) => bytes.includes(value.slice(-64)))
    .map(sealedText)
    .join('\n');
}

describe.each(Object.entries(engines))('a conversation that was erased from %s', (_, start) => {
  describe.each(Object.entries(trees))('and from %s', (_name, makeTrees) => {
    it.each(['by its id', 'by its messages'])('leaves no word, erased %s', async (how) => {
      const [place, tree] = [await start(), await makeTrees()];
      ends.push(place.stop);
      const [store, values] = watched(place.open());
      const conversationId = how === 'by its id' ? crypto.randomUUID() : undefined;
      const options = {
        store,
        summaryTreeStore: tree.store,
        archive: true,
        strategy: 'rule-based',
        namespace: 'tenant',
        conversationId,
      } as const;
      const first = await summarize(store, talk.slice(0, 11), options);
      await send(first, talk.slice(0, 13), { conversationId });
      const second = await summarize(store, talk, options);
      expect(second.record.parentId).toBe(first.record.id);
      await expect.poll(tree.bytes).toContain('Brackenholm');
      const state = { store, secret, namespace: 'tenant' };
      if (conversationId !== undefined) {
        const { record } = second;
        await seed({ ...state, conversationId: 'another', from: conversationId, record });
        await eraseConversation({ ...state, conversationId: 'another' });
      }
      expect(wordsIn(textsIn(await place.bytes(), values))).toEqual(words);
      expect(wordsIn(await tree.bytes())).toEqual(words);
      expect(piecesIn(await place.bytes(), values).length).toBeGreaterThan(20);

      const given = conversationId === undefined ? { messages: talk } : { conversationId };
      const erased = await eraseConversation({ ...state, ...given, summaryTreeStore: tree.store });
      expect(erased).toEqual({ records: 2, treesLeft: [] });
      const bytes = await place.bytes();
      expect(wordsIn(bytes + textsIn(bytes, values))).toEqual([]);
      expect(wordsIn(await tree.bytes())).toEqual([]);
      expect(piecesIn(await place.bytes(), values)).toEqual([]);
    });
  });
});
