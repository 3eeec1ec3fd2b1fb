import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { runServer } from './run-server.ts';

/** A Redis server of its own on this machine, with nothing in it. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Sends one command, over a connection of its own. */
  readonly send: (...command: readonly string[]) => Promise<unknown>;
  /** Ends the server at once. What it held is gone. */
  readonly goDown: () => Promise<void>;
  /** Starts it again, on the same port. */
  readonly comeBack: () => Promise<void>;
  /** Ends it and removes its files. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a Redis server that keeps nothing on disk.
 *
 * @param settings - More of its settings.
 * @throws {Error} when it is not installed.
 */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const program = findProgram('redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'summarization-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const send = async (...command: readonly string[]): Promise<unknown> => {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.sendCommand([...command]);
    } finally {
      client.destroy();
    }
  };
  const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder];
  const start = () =>
    runServer({
      program,
      programArguments: [...own, '--save', '', '--appendonly', 'no', ...settings],
      signal: 'KILL',
      answers: async () =>
        send('PING').then(
          (answer) => answer === 'PONG',
          () => false,
        ),
    });
  let server = await start();
  return {
    port,
    url,
    send,
    goDown: async () => server.end(),
    comeBack: async () => {
      server = await start();
    },
    stop: async () => {
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
