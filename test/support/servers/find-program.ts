import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian keeps the programs of the server, which are not on the path. */
const postgresFolder = '/usr/lib/postgresql';

/**
 * Path of a program of a database. Where it is not installed, says so and returns `undefined`, unless
 * `REQUIRE_STORES` is set.
 *
 * @throws {Error} when `REQUIRE_STORES` is set and it is not installed.
 */
export function findProgram(name: 'redis-server' | 'initdb' | 'postgres'): string | undefined {
  const versions = existsSync(postgresFolder) ? readdirSync(postgresFolder) : [];
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const folders = [
    ...newestFirst.map((version) => join(postgresFolder, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const message = `${name} is not installed here.`;
  if (process.env['REQUIRE_STORES'] !== undefined) throw new Error(message);
  process.stderr.write(`\nSKIPPED: the tests against its server. ${message}\n`);
  return undefined;
}
