import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { passage } from './bodies.ts';
import { wrapped } from './harness.ts';

/** Megabytes of heap after collection, before and after 200 different prompts of 0.5 MB were counted. */
export async function heapGrowth(): Promise<{ readonly before: number; readonly after: number }> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const heap = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const wrap = wrapped({ contextLength: 150_000, strategy: 'none' });
  const count = async (seed: number): Promise<void> => {
    await wrap
      .prepare([{ role: 'user', content: [{ type: 'text', text: passage(seed, 500_000) }] }])
      .catch(() => {});
  };
  for (let seed = 0; seed < 5; seed += 1) await count(seed);
  const before = await heap();
  for (let seed = 5; seed < 205; seed += 1) await count(seed);
  return { before, after: await heap() };
}
