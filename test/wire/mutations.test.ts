import { APICallError, generateText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from './json-view.ts';
import { mutationSets } from './mutations.ts';
import { wireProviders } from './providers.ts';
import { type WireServer, ruleHeader, startWireServer } from './servers/wire-server.ts';

describe.each(mutationSets)('illegal bodies: $name', ({ api, path, legal, illegal }) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(api);
  });
  afterAll(() => server.close());

  const post = (body: JsonRecord): Promise<Response> =>
    fetch(server.baseURL + path, { method: 'POST', body: JSON.stringify(body) });

  it('accepts the body they are made from', async () => {
    const response = await post(legal);
    expect(response.status).toBe(200);
    await response.text();
  });

  it.each(illegal)('%s: refuses %s', async (rule, _what, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.headers.get(ruleHeader)?.split(',')).toContain(rule);
    expect(JSON.stringify(await response.json())).toContain('message');
  });
});

describe.each(wireProviders)('a broken prompt: $name', ({ api, createModel }) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(api);
  });
  afterAll(() => server.close());

  it('fails in the SDK with the message of the provider', async () => {
    const result = generateText({
      model: createModel(server.baseURL),
      maxRetries: 0,
      messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }],
    });
    const error: unknown = await result.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!APICallError.isInstance(error))
      throw new Error('The prompt was not refused.', { cause: error });
    expect(error.statusCode).toBe(400);
    expect(error.isRetryable).toBe(false);
    expect(error.responseHeaders?.[ruleHeader]).toMatch(/^(C6|AN6|BE4)$/);
    expect(error.responseBody).toContain(error.message.slice(0, 20));
  });
});
