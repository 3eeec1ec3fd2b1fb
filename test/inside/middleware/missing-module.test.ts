import { generateText, streamText } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chat } from '../../support/messages.ts';
import { setUp } from '../../support/set-up.ts';

const stages = '../../../src/call/call-stages.ts';

afterEach(() => {
  vi.doUnmock(stages);
});

describe('a call of which a module cannot be loaded', () => {
  it('is answered, and the fault is reported', async () => {
    vi.doMock(stages, () => {
      throw new Error('ChunkLoadError');
    });
    const run = setUp();
    const { text } = await generateText({ model: run.model, messages: chat(3) });
    expect(text).toBe('Understood.');
    expect(await streamText({ model: run.model, messages: chat(3) }).text).toBe('Understood.');
    expect(run.events.filter(({ type }) => type === 'failed')).toMatchObject([
      { stage: 'prepare' },
      { stage: 'prepare' },
    ]);
  });
});
