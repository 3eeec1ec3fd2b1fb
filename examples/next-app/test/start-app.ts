import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The built app, as it runs for one test file. */
export interface RunningApp {
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** Starts it again at the same address with the same data. */
  readonly restart: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly dispose: () => Promise<void>;
}

/**
 * Starts the built app on a free port with an empty data folder.
 *
 * @param folder - Where it is.
 */
export async function startApp(
  env: Readonly<Record<string, string>> = {},
  folder: string = root,
): Promise<RunningApp> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'next-app-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const start = async () => {
    const server = spawn(
      process.execPath,
      // On a busy machine an idle connection would be closed under the next request.
      [
        'node_modules/next/dist/bin/next',
        'start',
        folder,
        '-p',
        String(port),
        '--keepAliveTimeout',
        '600000',
      ],
      {
        cwd: root,
        // Errors provoked by the tests are logged as usual, and would bury their own report.
        stdio: 'ignore',
        env: {
          ...process.env,
          NODE_ENV: 'production',
          OPENAI_API_KEY: '',
          ANTHROPIC_API_KEY: '',
          GOOGLE_GENERATIVE_AI_API_KEY: '',
          AI_GATEWAY_API_KEY: '',
          LOCAL_BASE_URL: '',
          REQUESTS_PER_MINUTE: '1000',
          EMBEDDED_WORDS_PER_SECOND: '200',
          DATA_FOLDER: dataFolder,
          ...env,
        },
      },
    );
    await answers(url, () => server.exitCode === null);
    return server;
  };

  let server = await start();
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill();
    await once(server, 'exit');
  };
  return {
    url,
    stop,
    restart: async () => {
      await stop();
      server = await start();
    },
    dispose: async () => {
      await stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const response = await fetch(`${url}/icon.svg`).catch(() => undefined);
    if (response) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('The app ended before it answered. Was it built?');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
