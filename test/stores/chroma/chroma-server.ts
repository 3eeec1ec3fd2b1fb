import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChromaClient } from '../../../src/state/stores/chroma-tree-store.ts';
import { removedFolder } from '../../support/removed-folder.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { runServer } from '../../support/servers/run-server.ts';

/** Where the package `chromadb` is installed, apart from what everybody installs. */
const packageFolder = new URL('../../servers/chroma/package.json', import.meta.url);

/** A Chroma server of its own. */
export interface ChromaServer {
  readonly client: ChromaClient;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the server that comes with the package `chromadb`, on a free port of this machine and with data
 * that is removed afterwards. Where it is not installed or does not run (it is native code, and not built
 * for every system), says so and returns `undefined`, unless `REQUIRE_CHROMA` is set.
 *
 * @throws {Error} when `REQUIRE_CHROMA` is set and it does not run.
 */
export async function startChroma(): Promise<ChromaServer | undefined> {
  const { folder, remove } = removedFolder();
  try {
    const entry = createRequire(packageFolder).resolve('chromadb');
    const port = await freePort();
    const { ChromaClient }: ChromaPackage = await import(pathToFileURL(entry).href);
    const client = new ChromaClient({ host: '127.0.0.1', port });
    const script = join(dirname(entry), '..', 'cli.mjs');
    const { end } = await runServer({
      program: process.execPath,
      programArguments: [
        script,
        'run',
        '--path',
        folder,
        '--host',
        '127.0.0.1',
        '--port',
        `${port}`,
      ],
      signal: 'KILL',
      answers: async () =>
        client.heartbeat().then(
          () => true,
          () => false,
        ),
    });
    return { client, stop: async () => end().then(remove) };
  } catch (error) {
    remove();
    if (process.env['REQUIRE_CHROMA'] !== undefined) throw error;
    process.stderr.write(
      `\nSKIPPED: the tests against Chroma, as no server runs here. ${String(error)}\n`,
    );
    return undefined;
  }
}

/** What the tests need of the package. */
interface ChromaPackage {
  readonly ChromaClient: new (address: {
    readonly host: string;
    readonly port: number;
  }) => ChromaClient & { readonly heartbeat: () => Promise<number> };
}
