import { describe, expect, it } from 'vitest';
import { type SummarizationEvent, summarizationMiddleware } from '../../src/index.ts';
import { wireProviders } from './providers.ts';
import { hasSummary, send } from './send.ts';

describe.each(wireProviders)('the real provider as summarizer: $name', (provider) => {
  it.each(['generate', 'stream'] as const)('writes the summary for %s', async (mode) => {
    const [conversation] = provider.conversations;
    if (conversation === undefined) throw new Error('There is no conversation.');
    const events: SummarizationEvent[] = [];
    const middleware = summarizationMiddleware({
      minMessages: 1,
      preserveRecent: 2,
      onEvent: (event) => events.push(event),
    });
    const how = { middleware, mode, force: true };
    const sent = await send(provider, conversation, how);
    expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
    expect(sent.error).toBeUndefined();
    expect(hasSummary(sent)).toBe(true);
    expect(JSON.stringify(sent.request?.body)).toContain('its parser repaired');
    expect(sent.earlier).toMatchObject([{ violations: [] }]);
  });
});
