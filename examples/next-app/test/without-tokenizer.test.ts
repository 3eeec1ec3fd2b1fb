import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { filesWith, tokenizerMark } from './files-with.ts';
import { startApp } from './start-app.ts';

const folder = fileURLToPath(new URL('without-tokenizer', import.meta.url));

it.each([
  ['--turbopack', 'edge'],
  ['--webpack', 'app'],
])(
  'a bundle for the edge that leaves the tokenizer out summarizes (%s)',
  async (bundler, edge) => {
    const next = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url));
    // Files of one bundler confuse the other.
    await rm(`${folder}/.next`, { recursive: true, force: true });
    await promisify(execFile)(process.execPath, [next, 'build', folder, bundler], {
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    });
    // The instrumentation of the app above is built for Node, too, with all there is.
    const built = `${folder}/.next/server/${edge}`;
    expect(await filesWith(built, 'summary-depth:')).not.toEqual([]);
    expect(await filesWith(built, tokenizerMark)).toEqual([]);

    const app = await startApp({}, folder);
    try {
      const text = 'The shop sells bicycles, repairs them and rents them out by the day. '.repeat(
        5,
      );
      const messages = Array.from({ length: 41 }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `${index}. ${text}`,
      }));
      const response = await fetch(`${app.url}/api/chat`, {
        method: 'POST',
        body: JSON.stringify({ messages }),
      });
      const answer: unknown = await response.json();
      expect(answer).toMatchObject({ summarization: { depth: 0, contextLength: 2000 } });
      expect(answer).not.toMatchObject({ text: '41' });
    } finally {
      await app.dispose();
    }
  },
  300_000,
);
