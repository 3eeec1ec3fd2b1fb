import { BuiltInAgent, CopilotRuntime, createCopilotRuntimeHandler } from '@copilotkit/runtime/v2';
import { wrapLanguageModel } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { expect, it, vi } from 'vitest';
import { good, scriptedTalk, talkFor } from '../support.ts';

it('the agent of CopilotKit, on AI SDK 6, through its runtime', async () => {
  vi.stubEnv('COPILOTKIT_TELEMETRY_DISABLED', 'true');
  const talk = scriptedTalk('v3', 'copilotkit');
  const middleware = summarizationMiddleware({
    ...talk.options,
    summarizerModelPreference: talk.summarizer,
  });
  const model = wrapLanguageModel({ model: talk.model, middleware });
  const runtime = new CopilotRuntime({ agents: { default: new BuiltInAgent({ model }) } });
  const handler = createCopilotRuntimeHandler({ runtime, basePath: '/api/copilotkit' });
  const messages: { id: string; role: string; content: string }[] = [];
  const add = (role: string, content: string): void =>
    void messages.push({ id: `${messages.length}`, role, content });
  const outcome = await talkFor(talk, async (text) => {
    add('user', text);
    const input = {
      threadId: 'one',
      runId: `${messages.length}`,
      state: {},
      tools: [],
      context: [],
    };
    const body = JSON.stringify({ ...input, messages, forwardedProps: {} });
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const url = 'http://localhost/api/copilotkit/agent/default/run';
    const answer = await handler(new Request(url, { method: 'POST', headers, body }));
    const events = (await answer.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
    add('assistant', events.map(({ delta = '' }) => delta).join(''));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });
  expect(outcome).toEqual(good);
});
