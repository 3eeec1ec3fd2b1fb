// A chat of Cloudflare's agents, as docs/hosts.md has it: run in workerd.
import { AIChatAgent } from '@cloudflare/ai-chat';
import { getAgentByName, type AgentNamespace } from 'agents';
import { convertToModelMessages, generateId, streamText, wrapLanguageModel } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { sqliteStore } from 'ai-sdk-summarization/sqlite';
import { scriptedTalk, talkFor, type Outcome } from './support.ts';

interface Env {
  readonly CHATS: AgentNamespace<Chat>;
}

const talk = scriptedTalk('v4', 'ai-chat-agent');

export class Chat extends AIChatAgent<Env> {
  readonly #model = wrapLanguageModel({
    model: talk.model,
    middleware: summarizationMiddleware({
      ...talk.options,
      summarizerModelPreference: talk.summarizer,
      store: sqliteStore({ client: this.ctx.storage }),
      secret: 'as openssl rand -base64 32 makes one',
    }),
  });

  override async onChatMessage(): Promise<Response> {
    const messages = await convertToModelMessages(this.messages);
    return streamText({ model: this.#model, messages }).toUIMessageStreamResponse();
  }

  async talk(): Promise<Outcome> {
    return talkFor(talk, async (text) => {
      const parts = [{ type: 'text' as const, text }];
      const { status, error } = await this.saveMessages((messages) => [
        ...messages,
        { id: generateId(), role: 'user', parts },
      ]);
      if (status !== 'completed') throw new Error(`The turn has ended as ${status}: ${error}`);
    });
  }
}

export default {
  fetch: async (_request: Request, { CHATS }: Env): Promise<Response> => {
    const chat = await getAgentByName(CHATS, 'one');
    return Response.json(await chat.talk());
  },
};
