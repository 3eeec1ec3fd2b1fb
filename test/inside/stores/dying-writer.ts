import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { SummaryTreeStore } from '../../../src/index.ts';

// A process of its own for tests of dying writers. The file system is the real one; every operation on
// it is counted, and one of them can be the last thing that happens.
const [folder = '', work = '', step = ''] = process.argv.slice(2);
let left = Number(step);

const operations = ['lstat', 'mkdir', 'readdir', 'rename', 'rm', 'rmdir', 'writeFile'] as const;
for (const name of operations) count(promises, name);
syncBuiltinESMExports();

// Imported only now, so that it sees the operations that are counted.
const { markdownTreeStore } = await import('../../../src/stores/markdown-tree-store.ts');
const { sampleTree } = await import('../../support/sample-tree.ts');

const jobs: Readonly<Record<string, (store: SummaryTreeStore) => Promise<void>>> = {
  'persist-and-die': async (store) => {
    await store.persist('chat', sampleTree('new', 5));
  },
  'delete-and-die': async (store) => {
    await store.delete('chat');
  },
};
await jobs[work]?.(markdownTreeStore({ folder }));

function count(target: object, name: string): void {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== 'function') throw new TypeError(`${name} is not a function`);
  Reflect.set(target, name, async function counted(this: unknown, ...given: unknown[]) {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return Reflect.apply(original, this, given);
  });
}
