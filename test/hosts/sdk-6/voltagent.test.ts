import { Agent, InMemoryStorageAdapter, Memory } from '@voltagent/core';
import { wrapLanguageModel } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { expect, it } from 'vitest';
import { promptsWithRule, said, scriptedTalk } from '../support.ts';

it('VoltAgent, on AI SDK 6, keeps what was said first, and pays for few summaries', async () => {
  const { model, summarizer, options, warnings } = scriptedTalk('v3', 'voltagent');
  const middleware = summarizationMiddleware({ ...options, summarizerModelPreference: summarizer });
  const agent = new Agent({
    name: 'a',
    instructions: 'Be brief.',
    model: wrapLanguageModel({ model, middleware }),
    memory: new Memory({ storage: new InMemoryStorageAdapter() }),
  });
  const conversationId = 'thread-1';
  for (let turn = 0; turn < 40; turn += 1)
    await agent.generateText(said(turn, 'Question'), {
      userId: 'user-1',
      conversationId,
      contextLimit: 26,
      providerOptions: { summarization: { conversationId } },
    });
  expect(model.calls).toHaveLength(40);
  expect(await promptsWithRule(model)).toBe(40);
  expect(summarizer.calls.length).toBeGreaterThan(0);
  expect(summarizer.calls.length).toBeLessThan(10);
  expect(warnings).not.toContain('sliding-window');
});
