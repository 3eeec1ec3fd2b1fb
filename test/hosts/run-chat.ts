// A process of its own, which runs the workflow with everything it consists of.
import { setupWorkflowTests, teardownWorkflowTests } from '@workflow/vitest';
import type { ModelMessage } from 'ai';
import { start } from 'workflow/api';
import type { chat } from './workflows/chat.ts';

await setupWorkflowTests({ cwd: import.meta.dirname, rootDir: import.meta.dirname });
const messages: ModelMessage[] = JSON.parse(String(process.env['MESSAGES']));
const run = await start<[ModelMessage[]], ReturnType<typeof chat>>(
  { workflowId: 'workflow//./workflows/chat//chat' },
  [messages],
);
console.log(`said ${JSON.stringify(await run.returnValue)}`);
await teardownWorkflowTests();
process.exit(0);
