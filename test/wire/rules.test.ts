import type { LanguageModelMiddleware } from 'ai';
import { describe, expect, it } from 'vitest';
import { wireProviders } from './providers.ts';
import { legalFaults, send, sendUntouched } from './send.ts';

/** What a summarizer without the rules would do: a system message and the last messages. */
function naiveCut(keep: number): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      const systems = params.prompt.filter(({ role }) => role === 'system');
      const rest = params.prompt.filter(({ role }) => role !== 'system');
      const summary = { role: 'system', content: 'What came before.' } as const;
      return { ...params, prompt: [...systems, summary, ...rest.slice(-keep)] };
    },
  };
}

describe.each(wireProviders)('what is illegal, through $name', (provider) => {
  it('is noticed in every agent conversation whose cut ignores the rules', async () => {
    const agents = provider.conversations.filter(
      ({ name, isServerManaged }) => name.includes('tool loop') && isServerManaged !== true,
    );
    expect(agents.length).toBeGreaterThanOrEqual(2);
    const unnoticed: string[] = [];
    for (const conversation of agents) {
      const untouched = await sendUntouched(provider, conversation);
      for (const keep of [2, 3, 4, 5]) {
        const middleware = naiveCut(keep);
        const sent = await send(provider, conversation, { middleware });
        if (legalFaults(sent, untouched, conversation).length === 0)
          unnoticed.push(`${conversation.name}/${keep}`);
      }
    }
    expect(unnoticed).toEqual([]);
  });
});
