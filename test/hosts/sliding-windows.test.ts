import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { Agent as OpenAIAgent, MemorySession, run, setTracingDisabled } from '@openai/agents';
import { aisdk } from '@openai/agents-extensions/ai-sdk';
import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { summarizationMiddleware, type SummarizationOptions } from 'ai-sdk-summarization';
import { describe, expect, it } from 'vitest';
import { promptsWithRule, said, scriptedTalk } from './support.ts';

setTracingDisabled(true);

const turns = 40;
/** Messages that a window holds: more than a summary leaves. */
const windowLength = 26;

/** A host that sends the last messages of a conversation, which it keeps itself. */
type Host = (
  model: ReturnType<typeof wrapLanguageModel>,
  id: string,
) => (text: string) => Promise<unknown>;

const hosts: Record<string, { readonly host: Host; readonly line: SummarizationOptions }> = {
  'Mastra memory': {
    line: { conversationId: ({ headers }) => headers?.['x-thread-id'] },
    host: (model, thread) => {
      const memory = new Memory({
        storage: new InMemoryStore(),
        options: { lastMessages: windowLength },
      });
      const agent = new Agent({ id: 'a', name: 'a', instructions: 'Be brief.', model, memory });
      return (text) => agent.generate(text, { memory: { thread, resource: 'user-1' } });
    },
  },
  'the messages of a Convex agent': {
    line: {},
    host: (model, threadId) => {
      // As @convex-dev/agent does it: rows by thread and order, and the newest of them as messages of a call.
      const rows: { readonly order: number; readonly message: ModelMessage }[] = [];
      const recentMessages = windowLength;
      return async (prompt) => {
        const order = rows.length;
        rows.push({ order, message: { role: 'user', content: [{ type: 'text', text: prompt }] } });
        const messages = rows.slice(-recentMessages - 1).map(({ message }) => message);
        const providerOptions = { summarization: { conversationId: threadId } };
        const { response } = await generateText({ model, messages, providerOptions });
        for (const message of response.messages) rows.push({ order, message });
      };
    },
  },
  'OpenAI Agents with a session that is cut': {
    line: {},
    host: (model, conversationId) => {
      const session = new MemorySession();
      const agent = new OpenAIAgent({
        name: 'a',
        model: aisdk(model),
        modelSettings: {
          providerData: { providerOptions: { summarization: { conversationId } } },
        },
      });
      return (text) =>
        run(agent, text, {
          session,
          sessionInputCallback: (history, added) => [...history.slice(-windowLength), ...added],
        });
    },
  },
  'a plain slice': {
    line: {},
    host: (model, conversationId) => {
      const messages: ModelMessage[] = [];
      return async (text) => {
        messages.push({ role: 'user', content: text });
        const answer = await generateText({
          model,
          messages: messages.slice(-windowLength - 1),
          providerOptions: { summarization: { conversationId } },
        });
        messages.push(...answer.response.messages);
      };
    },
  },
};

describe.each(Object.entries(hosts))('%s', (name, { host, line }) => {
  it('keeps what was said first, and pays for few summaries', async () => {
    const { model, summarizer, options, warnings } = scriptedTalk('v4', name);
    const middleware = summarizationMiddleware({
      ...options,
      ...line,
      summarizerModelPreference: summarizer,
    });
    const send = host(wrapLanguageModel({ model, middleware }), 'thread-1');
    for (let turn = 0; turn < turns; turn += 1) await send(said(turn, 'Question'));
    expect(model.calls).toHaveLength(turns);
    expect(await promptsWithRule(model)).toBe(turns);
    expect(summarizer.calls.length).toBeGreaterThan(0);
    expect(summarizer.calls.length).toBeLessThan(10);
    expect(warnings).not.toContain('sliding-window');
  });
});
