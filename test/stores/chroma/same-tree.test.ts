import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { summarize } from '../../../src/text/index.ts';
import { markdownTreeStore } from '../../../src/node/index.ts';
import { chromaTreeStore } from '../../../src/stores/chroma-tree-store.ts';
import { extractiveModel } from '../../strategies/levels/extractive-model.ts';
import { startChroma } from './chroma-server.ts';

const server = await startChroma();
const folder = mkdtempSync(join(tmpdir(), 'summarization-same-tree-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

const paragraph = (index: number): string =>
  `Meeting ${index} was held in room R-${1000 + index}. The budget of part ${index} was raised to ${index * 37} euros. ` +
  'Everybody agreed, and nobody spoke of the weather. The next part was left to the next meeting.';
const text = Array.from({ length: 500 }, (_, index) => paragraph(index)).join('\n\n');

it.skipIf(server === undefined)(
  'a folder and a Chroma server hold the same summary of a long text',
  async () => {
    if (server === undefined) return;
    const result = await summarize(text, { model: extractiveModel(), chunkSize: 1000 });
    expect(result.level).toBe('HIERARCHICAL');
    const embed = async (values: string[]): Promise<number[][]> =>
      values.map((value) => [value.length, 1]);
    const stores = [
      markdownTreeStore({ folder }),
      chromaTreeStore({ client: server.client, collectionName: 'same-tree', embed }),
    ];
    const held = await Promise.all(
      stores.map(async (store) => {
        await store.persist('meetings', result);
        const nodes = await store.list('meetings');
        return [
          await store.getFinalSummary('meetings'),
          nodes.map(({ createdAt: _createdAt, ...node }) => node),
        ];
      }),
    );
    expect(held[0]).toEqual(held[1]);
    expect(held[0]?.[0]).toBe(result.summary);
    const { l1Summaries = [], l2Summaries = [] } = result.hierarchical ?? {};
    expect(held[0]?.[1]).toHaveLength(l1Summaries.length + l2Summaries.length + 1);
  },
);
