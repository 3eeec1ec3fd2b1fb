import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { SummaryTreeStore } from '../../../src/index.ts';

// A process of its own for tests of dying writers. The file system is the real one; every operation on
// it is counted, and one of them can be the last thing that happens.
const [folder = '', work = '', argument = ''] = process.argv.slice(2);
let before = (): void => {};

const operations = ['lstat', 'mkdir', 'readdir', 'rename', 'rm', 'rmdir', 'writeFile'] as const;
for (const name of operations) count(promises, name);
syncBuiltinESMExports();

// Imported only now, so that it sees the operations that are counted.
const { markdownTreeStore } = await import('../../../src/stores/markdown-tree-store.ts');
const { sampleTree } = await import('../../support/sample-tree.ts');

const jobs: Readonly<Record<string, (store: SummaryTreeStore) => Promise<void>>> = {
  'persist-and-die': async (store) => {
    dieBefore(Number(argument));
    await store.persist('chat', sampleTree('new', 5));
  },
  'delete-and-die': async (store) => {
    dieBefore(Number(argument));
    await store.delete('chat');
  },
  'persist-with-faults': async (store) => {
    for (let step = 1, failed = true; failed; step += 1) {
      let left = step;
      failed = false;
      before = () => {
        left -= 1;
        failed ||= left === 0;
        if (left === 0) throw Object.assign(new Error('injected'), { code: 'EIO' });
      };
      const outcome = await store.persist('chat', sampleTree(`step ${step}`, 4)).then(
        () => 'kept',
        () => 'refused',
      );
      before = () => {};
      const nodes = await store.list('chat');
      process.stdout.write(`${outcome} ${nodes.length} ${nodes.at(-1)?.content}\n`);
    }
  },
  'persist-often': async (store) => {
    for (let turn = 0; turn < 60; turn += 1) {
      await store.persist('chat', sampleTree(argument, argument.length));
    }
  },
};
await jobs[work]?.(markdownTreeStore({ folder }));

function dieBefore(step: number): void {
  let left = step;
  before = () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}

function count(target: object, name: string): void {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== 'function') throw new TypeError(`${name} is not a function`);
  Reflect.set(target, name, async function counted(this: unknown, ...given: unknown[]) {
    before();
    return Reflect.apply(original, this, given);
  });
}
