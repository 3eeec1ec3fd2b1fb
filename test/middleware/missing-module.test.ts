import { generateText, streamText } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chat } from '../support/messages.ts';
import { setUp } from '../support/set-up.ts';

const recovery = '../../src/call/recover-call.ts';

afterEach(() => vi.doUnmock(recovery));

describe('a call of which a module cannot be loaded', () => {
  it('is answered, and the fault is reported', async () => {
    vi.doMock(recovery, () => {
      throw new Error('ChunkLoadError');
    });
    const run = setUp();
    const { text } = await generateText({ model: run.model, messages: chat(3) });
    expect(text).toBe('Understood.');
    expect(await streamText({ model: run.model, messages: chat(3) }).text).toBe('Understood.');
    expect(run.events.filter(({ type }) => type === 'failed')).toMatchObject([
      { stage: 'recover' },
      { stage: 'recover' },
    ]);
  });
});
