import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { Agent as OpenAIAgent, MemorySession, run, setTracingDisabled } from '@openai/agents';
import { aisdk } from '@openai/agents-extensions/ai-sdk';
import { wrapLanguageModel } from 'ai';
import { summarizationMiddleware, type SummarizationOptions } from 'ai-sdk-summarization';
import { describe, expect, it } from 'vitest';
import { promptsWithRule, said, scriptedTalk } from './support.ts';

setTracingDisabled(true);

const turns = 40;
/** Messages that a window holds: more than a summary leaves. */
const windowLength = 26;

const byHeader: SummarizationOptions = {
  conversationId: ({ headers }) => headers?.['x-thread-id'],
};

/** A host that sends the last messages of a conversation, which it keeps itself. */
type Host = (
  model: ReturnType<typeof wrapLanguageModel>,
  id: string,
) => (text: string) => Promise<unknown>;

/** Those that a program may have; what slices its messages itself is held by the tests of the package. */
const hosts: Record<string, Host> = {
  'Mastra memory': (model, thread) => {
    const memory = new Memory({
      storage: new InMemoryStore(),
      options: { lastMessages: windowLength },
    });
    const agent = new Agent({ id: 'a', name: 'a', instructions: 'Be brief.', model, memory });
    return (text) => agent.generate(text, { memory: { thread, resource: 'user-1' } });
  },
  'OpenAI Agents with a session that is cut': (model, conversationId) => {
    const session = new MemorySession();
    const agent = new OpenAIAgent({
      name: 'a',
      model: aisdk(model),
      modelSettings: { providerData: { providerOptions: { summarization: { conversationId } } } },
    });
    return (text) =>
      run(agent, text, {
        session,
        sessionInputCallback: (history, added) => [...history.slice(-windowLength), ...added],
      });
  },
};

describe.each(Object.entries(hosts))('%s', (name, host) => {
  it('keeps what was said first, and pays for few summaries', async () => {
    const { model, summarizer, options, warnings } = scriptedTalk('v4', name);
    const middleware = summarizationMiddleware({
      ...options,
      // Mastra names the conversation in a header alone.
      ...(name === 'Mastra memory' ? byHeader : {}),
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
