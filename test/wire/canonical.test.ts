import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireProviders } from './providers.ts';
import { send } from './send.ts';
import { type WireServer, startWireServer } from './servers/wire-server.ts';

describe.each(wireProviders)('canonical conversations: $name', (provider) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(provider.api);
  });
  afterAll(() => server.close());

  it.each(provider.conversations)('$name is accepted as it stands', async (conversation) => {
    const modes = ['generate', 'stream'] as const;
    const outcomes = await Promise.all(
      modes.map((mode) =>
        send(provider, server, conversation, { caseId: `${conversation.name}/${mode}`, mode }),
      ),
    );
    for (const { error, request } of outcomes) {
      expect(error).toBeUndefined();
      const body = JSON.stringify(request?.body);
      for (const kept of conversation.mustKeep ?? []) expect(body).toContain(kept);
    }
  });
});
