import { describe, expect, it } from 'vitest';
import { WarningMemory } from '../../../src/report/reporter.ts';

describe('WarningMemory', () => {
  it('tells a cause once, whatever its message and its model', () => {
    const memory = new WarningMemory();
    memory.note('one', { cause: 'store', message: 'Set secret.' });
    memory.note('one', { cause: 'store', message: 'Set secret, please.' });
    memory.note('two', { cause: 'store', message: 'Set secret.' });
    expect(memory.take('three')).toEqual([]);
    expect(memory.take('two')).toEqual(['ai-sdk-summarization: Set secret.']);
    expect(memory.take('one')).toEqual([]);
    memory.note('one', { cause: 'store', message: 'Set secret.' });
    expect(memory.take('one')).toEqual([]);
  });

  it('keeps 20 warnings for each of 1,000 models, and forgets what was told longest ago', () => {
    const memory = new WarningMemory();
    for (let index = 0; index < 30; index++)
      memory.note('one', { cause: `cause ${index}`, message: 'Mend it.' });
    expect(memory.take('one')).toHaveLength(20);
    for (let index = 0; index < 1001; index++)
      memory.note(`model ${index}`, { cause: `${index} ${'x'.repeat(200)}`, message: 'Mend it.' });
    expect(memory.take('model 0')).toEqual([]);
    for (let index = 0; index < 1001; index++) memory.take(`model ${index}`);
    memory.note('one', { cause: 'cause 0', message: 'Mend it.' });
    expect(memory.take('one')).toHaveLength(1);
  });
});
