import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SummarizationEvent, summarizationMiddleware } from '../../src/index.ts';
import { wireProviders } from './providers.ts';
import { send } from './send.ts';
import { type WireServer, startWireServer } from './servers/wire-server.ts';
import { hasSummary } from './wire-faults.ts';

describe.each(wireProviders)('the real provider as summarizer: $name', (provider) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(provider.api);
  });
  afterAll(() => server.close());

  it.each(['generate', 'stream'] as const)('writes the summary for %s', async (mode) => {
    const [conversation] = provider.conversations;
    if (conversation === undefined) throw new Error('There is no conversation.');
    const events: SummarizationEvent[] = [];
    const onEvent = (event: SummarizationEvent): void => {
      events.push(event);
    };
    const middleware = summarizationMiddleware({
      minMessages: 1,
      preserveRecent: 2,
      onEvent,
    });
    const sent = await send(provider, server, conversation, {
      caseId: mode,
      middleware,
      mode,
      force: true,
    });
    expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
    expect(sent.error).toBeUndefined();
    expect(hasSummary(sent)).toBe(true);
    expect(JSON.stringify(sent.request?.body)).toContain('its parser repaired');
    const [summary, ...others] = server.requestsOf(mode);
    expect(others).toEqual([sent.request]);
    expect(summary?.violations).toEqual([]);
  });
});
