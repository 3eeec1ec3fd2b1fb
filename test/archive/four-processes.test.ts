import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { engines } from '../stores/engines.ts';
import type { Sent } from './sender.ts';

const sender = fileURLToPath(new URL('sender.ts', import.meta.url));
const hooks = new URL('../support/markdown-as-text.ts', import.meta.url).href;

const processCount = 4;
const requestCount = 50;

it.each(Object.entries(engines))(
  `a conversation on %s is paid for once by ${processCount} processes, which send the same bytes`,
  async (_, start) => {
    const { place, stop } = await start();
    const children = Array.from({ length: processCount }, () =>
      fork(sender, [JSON.stringify(place), `${requestCount}`], {
        execArgv: ['--no-warnings', '--import', hooks],
      }),
    );
    await Promise.all(children.map(async (child) => once(child, 'message')));
    const sent = children.map(
      async (child) =>
        new Promise<Sent>((resolve, reject) => {
          child.once('message', (said: Sent) => resolve(said));
          child.once('exit', () => reject(new Error('A process ended before it had sent all.')));
        }),
    );
    for (const child of children) child.send('go');
    const all = await Promise.all(sent);
    await stop();
    expect(all.flatMap(({ prompts }) => prompts)).toHaveLength(processCount * requestCount);
    expect(new Set(all.flatMap(({ prompts }) => prompts)).size).toBe(1);
    expect(all.reduce((sum, { paid }) => sum + paid, 0)).toBe(1);
  },
);
