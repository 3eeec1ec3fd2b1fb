import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ChromaClient } from '../../../src/stores/chroma-tree-store.ts';
import { freePort } from '../../support/servers/free-port.ts';

/** Where the package `chromadb` is installed, apart from what everybody installs. */
const packageFolder = new URL('../../servers/chroma/package.json', import.meta.url);

/** A Chroma server of its own. */
export interface ChromaServer {
  readonly client: ChromaClient;
  readonly stop: () => Promise<void>;
}

/** Milliseconds a server may take to answer. */
const startTimeoutMs = 30_000;

/**
 * Starts the server that comes with the package `chromadb`, on a free port of this machine and with data
 * that is removed afterwards. Where it is not installed or does not run (it is native code, and not built
 * for every system), says so and returns `undefined`, unless `REQUIRE_CHROMA` is set.
 *
 * @throws {Error} when `REQUIRE_CHROMA` is set and it does not run.
 */
export async function startChroma(): Promise<ChromaServer | undefined> {
  let entry: string;
  try {
    entry = createRequire(packageFolder).resolve('chromadb');
  } catch {
    return missing('it is not installed, see "npm --prefix test/servers/chroma ci"');
  }
  const folder = mkdtempSync(join(tmpdir(), 'summarization-chroma-'));
  const port = await freePort();
  const script = join(dirname(entry), '..', 'cli.mjs');
  const child = spawn(
    process.execPath,
    [script, 'run', '--path', folder, '--host', '127.0.0.1', '--port', `${port}`],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ANONYMIZED_TELEMETRY: 'False' } },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const closed = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };

  const { ChromaClient }: ChromaPackage = await import(pathToFileURL(entry).href);
  const client = new ChromaClient({ host: '127.0.0.1', port });
  const giveUpAt = performance.now() + startTimeoutMs;
  while (child.exitCode === null && child.signalCode === null && performance.now() < giveUpAt) {
    if (
      await client.heartbeat().then(
        () => true,
        () => false,
      )
    )
      return { client, stop };
    await delay(50);
  }
  await stop();
  return missing(/^Error: .*$/m.exec(complaint)?.[0] ?? `exit code ${child.exitCode}`);
}

/** What the tests need of the package. */
interface ChromaPackage {
  readonly ChromaClient: new (address: {
    readonly host: string;
    readonly port: number;
  }) => ChromaClient & { readonly heartbeat: () => Promise<number> };
}

function missing(reason: string): undefined {
  const message = `No Chroma server runs here: ${reason}`;
  if (process.env['REQUIRE_CHROMA'] !== undefined) throw new Error(message);
  process.stderr.write(`\nSKIPPED: the tests against Chroma. ${message}\n`);
  return undefined;
}
