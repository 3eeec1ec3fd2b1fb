import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startChatServer } from '../../support/servers/chat-server.ts';
import { runExample } from '../../support/servers/example-process.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startPostgres } from '../../support/servers/postgres-server.ts';
import { summarized } from './chat-client.ts';

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const files = Array.from({ length: 14 }, (_, index) => `file-${index}.txt`);
/** The call in whose middle the process loses its power: prompts hold a summary by then. */
const lost = 10;

describe.skipIf(!isInstalled('initdb') || !isInstalled('postgres'))('the example durable', () => {
  it('goes on in another process where it was, and pays for nothing twice', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'durable-files-'));
    ends.push(() => rmSync(folder, { recursive: true }));
    for (const file of files)
      writeFileSync(path.join(folder, file), `${file}: ${'rivers and stones '.repeat(150)}`);
    const reached = Promise.withResolvers<void>();
    const fileOf = async (call: number): Promise<string | undefined> => {
      if (call === lost) {
        reached.resolve();
        await new Promise(() => {});
      }
      // Its second attempt asks for the same file.
      return files[call < lost ? call : call - 1];
    };
    const [postgres, models] = await Promise.all([startPostgres(), startChatServer({ fileOf })]);
    ends.push(postgres.stop, models.close);
    const env = {
      DATABASE_URL: postgres.url,
      MODEL_URL: models.url,
      MODEL: 'a-model',
      SUMMARY_SECRET: 'a secret of this test',
      CONTEXT_LENGTH: '8000',
      FOLDER: folder,
    };
    const script = new URL('../../../examples/durable/workflow.ts', import.meta.url);
    const first = runExample(script, env, 'chat 1');
    ends.push(first.kill);
    await reached.promise;
    await first.kill();
    const bills = models.bills();
    expect(bills).toBeGreaterThan(0);

    const second = runExample(script, env, 'chat 1');
    ends.push(second.kill);
    await second.wrote('done Understood.');
    const { prompts } = models;
    // One call for each file, one for the answer, and the one that was lost.
    expect(prompts).toHaveLength(files.length + 2);
    expect(prompts[lost]).toContain(summarized);
    expect(prompts[lost + 1]).toBe(prompts[lost]);
    for (const file of files.slice(-2)) expect(prompts.at(-1)).toContain(file);
  });
});
