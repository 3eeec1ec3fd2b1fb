import type { LanguageModelMiddleware } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireProviders } from './providers.ts';
import { send, sendUntouched } from './send.ts';
import { type WireServer, startWireServer } from './servers/wire-server.ts';
import { legalFaults } from './wire-faults.ts';

/** What a summariser without the rules would do: a system message and the last messages. */
function naiveCut(keep: number): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    transformParams: ({ params }) => {
      const systems = params.prompt.filter(({ role }) => role === 'system');
      const rest = params.prompt.filter(({ role }) => role !== 'system');
      const summary = { role: 'system', content: 'What came before.' } as const;
      return Promise.resolve({ ...params, prompt: [...systems, summary, ...rest.slice(-keep)] });
    },
  };
}

describe.each(wireProviders)('a cut that ignores the rules: $name', (provider) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(provider.api);
  });
  afterAll(() => server.close());

  it('is caught in every agent conversation', async () => {
    const agents = provider.conversations.filter(
      ({ name, isServerManaged }) => name.includes('tool loop') && isServerManaged !== true,
    );
    const caught = await Promise.all(
      agents.map(async (conversation) => {
        const untouched = await sendUntouched(provider, server, conversation);
        const outcomes = await Promise.all(
          [2, 3, 4, 5].map(async (keep) => {
            const caseId = `${conversation.name}/${keep}`;
            const middleware = naiveCut(keep);
            const sent = await send(provider, server, conversation, { caseId, middleware });
            return legalFaults(sent, untouched, conversation).length > 0;
          }),
        );
        return outcomes.every(Boolean);
      }),
    );
    expect(caught.length).toBeGreaterThanOrEqual(3);
    expect(caught).not.toContain(false);
  });
});
