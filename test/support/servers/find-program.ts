import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

type Program = 'redis-server' | 'initdb' | 'postgres';

/** Where Debian keeps the programs of the server, which are not on the path. */
const postgresFolder = '/usr/lib/postgresql';

/**
 * Whether a program of a database is installed. Where it is not, says so, or fails when `REQUIRE_STORES` is
 * set.
 *
 * @throws {Error} when `REQUIRE_STORES` is set and it is not installed.
 */
export function isInstalled(name: Program): boolean {
  const path = pathOf(name);
  if (path !== undefined) return true;
  if (process.env['REQUIRE_STORES'] !== undefined) throw new Error(missing(name));
  process.stderr.write(`\nSKIPPED: the tests against its server. ${missing(name)}\n`);
  return false;
}

/** @throws {Error} when the program is not installed. */
export function findProgram(name: Program): string {
  const path = pathOf(name);
  if (path === undefined) throw new Error(missing(name));
  return path;
}

function pathOf(name: Program): string | undefined {
  const versions = existsSync(postgresFolder) ? readdirSync(postgresFolder) : [];
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const folders = [
    ...newestFirst.map((version) => join(postgresFolder, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function missing(name: Program): string {
  return `${name} is not installed here.`;
}
