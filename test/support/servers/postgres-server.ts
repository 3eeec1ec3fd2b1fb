import { execFile, type SpawnOptions } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { runServer } from './run-server.ts';

/** A Postgres server of its own on this machine, with an empty database. */
export interface PostgresServer {
  readonly url: string;
  /** Ends the server at once. */
  readonly goDown: () => Promise<void>;
  /** Starts it again, on the same port. It has recovered what it had written. */
  readonly comeBack: () => Promise<void>;
  /** Ends it and removes its files. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a Postgres server.
 *
 * @throws {Error} when it is not installed.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const [initdb, program] = [findProgram('initdb'), findProgram('postgres')];
  const folder = mkdtempSync(join(tmpdir(), 'summarization-postgres-'));
  const user = unprivilegedUser();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const spawnOptions: SpawnOptions = { ...user, cwd: folder };
  const ofCluster = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(initdb, [...ofCluster, '--no-sync', data], spawnOptions);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  // What is not synced is safe from a server that dies, not from a machine that does.
  const settings = ['fsync=off', 'max_connections=200', 'shared_buffers=32MB'];
  const own = ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', folder];
  const start = () =>
    runServer({
      program,
      programArguments: [...own, ...settings.flatMap((setting) => ['-c', setting])],
      spawnOptions,
      signal: 'QUIT',
      answers: async () => answers(url),
    });
  let server = await start();
  return {
    url,
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

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Postgres refuses to be run by root. */
function unprivilegedUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].flatMap((name) => users.filter(([each]) => each === name))[0];
  return { uid: Number(user?.[2]), gid: Number(user?.[3]) };
}
