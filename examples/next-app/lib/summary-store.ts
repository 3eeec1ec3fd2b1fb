import { readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import type { SummaryStore } from 'ai-sdk-summarization';
import { dataPath, writeWhole } from './data-folder.ts';

/**
 * Keeps summaries as files, so that they outlive the server. Keys are hexadecimal. Any key-value store
 * will do in its place.
 */
export const summaryStore: SummaryStore = {
  get: async (key) => await readFile(summaryFile(key), 'utf8').catch(() => undefined),
  set: async (key, value, { ifAbsent = false } = {}) => {
    if (!ifAbsent) {
      await writeWhole(summaryFile(key), value);
      return true;
    }
    await mkdir(dataPath('summaries'), { recursive: true });
    // `wx` refuses an existing file: of two writers, one wins.
    return await writeFile(summaryFile(key), value, { flag: 'wx' }).then(
      () => true,
      () => false,
    );
  },
  delete: async (key) => await rm(summaryFile(key), { force: true }),
};

function summaryFile(key: string): string {
  return dataPath('summaries', `${key}.json`);
}
