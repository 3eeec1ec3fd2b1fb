import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildWorkflowTests } from '@workflow/vitest';
import { afterAll, expect, it } from 'vitest';
import { startChatServer } from '../support/servers/chat-server.ts';
import { said } from './support.ts';

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), 'workflow-agent-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a durable model crosses the steps of a WorkflowAgent, and finds its summaries in another process', async () => {
  await buildWorkflowTests({ cwd: here, rootDir: here });
  const server = await startChatServer();
  const messages = Array.from({ length: 41 }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: said(turn, turn % 2 === 0 ? 'Question' : 'Answer'),
  }));
  const env = {
    ...process.env,
    MODEL_URL: server.url,
    DATABASE: path.join(folder, 'summaries.db'),
    MESSAGES: JSON.stringify(messages),
  };
  const runChat = async (): Promise<string> =>
    (await promisify(execFile)(process.execPath, [path.join(here, 'run-chat.ts')], { env })).stdout;
  expect(await runChat()).toContain('said "Understood."');
  const paid = server.bills();
  expect(paid).toBeGreaterThan(0);
  expect(await runChat()).toContain('said "Understood."');
  expect(server.bills()).toBe(paid);
  const [first, second] = server.prompts;
  expect(first).toContain('[summary-depth:0]');
  expect(second).toBe(first);
  await server.close();
});
