import { expect, it, vi } from 'vitest';

const operations = 200;

/** What happens in a process that has seen nothing yet. */
async function historyOf(seed: number): Promise<readonly string[]> {
  vi.resetModules();
  const { explore } = await import('./explore.ts');
  const history: string[] = [];
  await explore({ operations, seed, onWorld: (story) => history.push(...story) });
  return history;
}

it('explores the same again from the same seed', async () => {
  const first = await historyOf(7);
  expect(await historyOf(7)).toEqual(first);
  expect(await historyOf(8)).not.toEqual(first);
}, 600_000);
