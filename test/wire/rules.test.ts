import { APICallError, generateText, type LanguageModelMiddleware } from 'ai';
import { describe, expect, it } from 'vitest';
import { ruleHeader, servedApi } from './apis/wire-server.ts';
import { wireProviders } from './providers.ts';
import { legalFaults, send, sendUntouched } from './send.ts';

/** What a summariser without the rules would do: a system message and the last messages. */
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
  const server = servedApi(provider.api);

  it('fails in the SDK with the message of the provider', async () => {
    const error: unknown = await generateText({
      model: provider.createModel(server.baseURL),
      maxRetries: 0,
      messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }],
    }).catch((reason: unknown) => reason);
    if (!APICallError.isInstance(error))
      throw new Error('The prompt was not refused.', { cause: error });
    expect(error.statusCode).toBe(400);
    expect(error.isRetryable).toBe(false);
    expect(error.responseHeaders?.[ruleHeader]).toMatch(/^(C6|AN6|BE4)$/);
    expect(error.responseBody).toContain(error.message.slice(0, 20));
  });

  it('is noticed in every agent conversation whose cut ignores the rules', async () => {
    const agents = provider.conversations.filter(
      ({ name, isServerManaged }) => name.includes('tool loop') && isServerManaged !== true,
    );
    expect(agents.length).toBeGreaterThanOrEqual(3);
    const unnoticed: string[] = [];
    for (const conversation of agents) {
      const untouched = await sendUntouched(provider, server, conversation);
      for (const keep of [2, 3, 4, 5]) {
        const caseId = `${conversation.name}/${keep}`;
        const middleware = naiveCut(keep);
        const sent = await send(provider, server, conversation, { caseId, middleware });
        if (legalFaults(sent, untouched, conversation).length === 0) unnoticed.push(caseId);
      }
    }
    expect(unnoticed).toEqual([]);
  });
});
