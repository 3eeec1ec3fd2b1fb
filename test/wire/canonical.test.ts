import { generateText, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from './conversations/conversation.ts';
import { wireProviders } from './providers.ts';
import { type WireServer, caseHeader, startWireServer } from './servers/wire-server.ts';
import { plainAnswer } from './servers/summary-answer.ts';
import { wireTools } from './tools.ts';

describe.each(wireProviders)(
  'canonical conversations: $name',
  ({ api, createModel, conversations }) => {
    let server: WireServer;
    beforeAll(async () => {
      server = await startWireServer(api);
    });
    afterAll(() => server.close());

    const call = (conversation: Conversation, caseId: string) => ({
      model: createModel(server.baseURL),
      messages: [...conversation.messages],
      allowSystemInMessages: true,
      tools: wireTools,
      maxRetries: 0,
      headers: { [caseHeader]: caseId },
      ...(conversation.providerOptions === undefined
        ? {}
        : { providerOptions: conversation.providerOptions }),
    });

    it.each(conversations)('$name is accepted as it stands', async (conversation) => {
      const { text } = await generateText(call(conversation, conversation.name));
      expect(text).toBe(plainAnswer);
      const [request] = server.requestsOf(conversation.name);
      for (const kept of conversation.mustKeep ?? []) {
        expect(JSON.stringify(request?.body)).toContain(kept);
      }
    });

    it.each(conversations)('$name is answered as a stream', async (conversation) => {
      const errors: unknown[] = [];
      const { text } = streamText({
        ...call(conversation, 'streamed'),
        onError: ({ error }) => {
          errors.push(error);
        },
      });
      await expect(text).resolves.toBe(plainAnswer);
      expect(errors).toEqual([]);
    });
  },
);
