import { spawn } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { markdownTreeStore } from '../../../src/node/index.ts';
import { treeNodes } from '../../support/tree-nodes.ts';
import { sampleTree } from '../../support/sample-tree.ts';
import { temporaryFolder } from '../../node/folders.ts';

const script = fileURLToPath(new URL('dying-writer.ts', import.meta.url));

/** How a process ended that was to die before one of its operations. */
async function runChild(folder: string, work: string, step: number): Promise<string | number> {
  const child = spawn(process.execPath, [script, folder, work, `${step}`], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal ?? ''));
  });
}

/** Which of the trees, complete, a folder holds. */
async function treeIn(folder: string, trees: Readonly<Record<string, number>>): Promise<string> {
  const nodes = await markdownTreeStore({ folder }).list('chat');
  if (nodes.length === 0) return 'none';
  const label = nodes.at(-1)?.content.replace('final ', '') ?? '';
  const expected = treeNodes(
    'chat',
    sampleTree(label, trees[label] ?? 0),
    nodes[0]?.createdAt ?? '',
  );
  expect(nodes).toEqual(expected);
  return label;
}

/** Lets a process die before its first, second, ... operation; what it left behind, until it lives on. */
async function dieAtEveryStep(work: string): Promise<string[]> {
  const original = temporaryFolder();
  await markdownTreeStore({ folder: original }).persist('chat', sampleTree('old', 3));
  const dieAt = async (step: number): Promise<{ left: string; ended: string | number }> => {
    const folder = temporaryFolder();
    cpSync(original, folder, { recursive: true });
    const ended = await runChild(folder, work, step);
    const left = await treeIn(folder, { old: 3, new: 5 });
    // And the next writer goes on from there.
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('next', 4));
    expect(await treeIn(folder, { next: 4 })).toBe('next');
    const names = readdirSync(join(folder, readdirSync(folder)[0] ?? ''));
    expect(names.filter((name) => !name.startsWith('.unread-'))).toHaveLength(1);
    await store.delete('chat');
    expect(readdirSync(folder)).toEqual([]);
    return { left, ended };
  };
  const lefts: string[] = [];
  for (let step = 1; ; step += 4) {
    const outcomes = await Promise.all([0, 1, 2, 3].map((offset) => dieAt(step + offset)));
    for (const { left, ended } of outcomes) {
      lefts.push(left);
      expect([0, 'SIGKILL']).toContain(ended);
      if (ended === 0) return lefts;
    }
  }
}

describe('markdownTreeStore', () => {
  it('leaves one complete tree wherever a writer dies', async () => {
    const lefts = await dieAtEveryStep('persist-and-die');
    expect(lefts.length).toBeGreaterThan(4);
    const firstNew = lefts.indexOf('new');
    expect(lefts).toEqual(lefts.map((_, index) => (index < firstNew ? 'old' : 'new')));
    expect(firstNew).toBeGreaterThan(0);
  });

  it('leaves the whole tree or nothing wherever a deletion dies', async () => {
    const lefts = await dieAtEveryStep('delete-and-die');
    const firstNone = lefts.indexOf('none');
    expect(firstNone).toBeGreaterThan(0);
    expect(lefts).toEqual(lefts.map((_, index) => (index < firstNone ? 'old' : 'none')));
  });
});
