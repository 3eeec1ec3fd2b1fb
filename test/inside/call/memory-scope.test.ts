import { describe, expect, it } from 'vitest';
import { memoryScope } from '../../../src/call/call-context.ts';
import { memoryStore } from '../../../src/index.ts';

describe('memoryScope', () => {
  const store = memoryStore();

  it('tells namespaces and secrets apart as they are', () => {
    const names = ['', 'a', 'a ', '","', '\ud800', '\ud801'];
    for (let seed = 0; seed < 200; seed += 1) names.push(`name ${seed}`, `Name ${seed}`);
    const scopes = names.flatMap((name) => [
      memoryScope(store, name, 'x'),
      memoryScope(store, 'x', name),
      memoryScope(store, name, name),
    ]);
    expect(new Set(scopes).size).toBe(new Set(names).size * 3);
  });

  it('is the same for a middleware made anew', () => {
    expect(memoryScope(store, 'secret', 'tenant')).toBe(memoryScope(store, 'secret', 'tenant'));
    expect(memoryScope(memoryStore(), 'secret', 'tenant')).not.toBe(
      memoryScope(store, 'secret', 'tenant'),
    );
  });
});
