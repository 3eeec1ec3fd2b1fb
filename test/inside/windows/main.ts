import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRecord } from '../../wire/json-view.ts';
import { differences, moduleOf, readCatalogue, type Catalogue } from './make.ts';

// The table of context lengths against the data set that it is made of. `--make` writes the table; `--from 1.6.0` reads that version of
// the package first and says what it changes, `--from pinned` holds the file here to the package.

const dataFile = new URL('catalogue.tsv', import.meta.url);
const tableFile = new URL('../../../src/sizes/tokens/model-windows.ts', import.meta.url);

/** Reads a version of the package, of whose files only data is read. */
function fetched(name: string, version: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'windows-'));
  try {
    const times: unknown = JSON.parse(
      execFileSync('npm', ['view', name, 'time', '--json'], { encoding: 'utf8' }),
    );
    const packed = execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
    execFileSync('tar', ['xzf', packed], { cwd: folder });
    const data = path.join(folder, 'package/dist/providers/data');
    const lines = readdirSync(data)
      .filter((file) => /^[^.].*\.json$/.test(file))
      .flatMap((file) => linesOf(file.slice(0, -5), readFileSync(path.join(data, file), 'utf8')));
    const date = isRecord(times) ? String(times[version]).slice(0, 10) : '';
    return [`# ${name}\t${version}\t${date}`, ...lines.toSorted(), ''].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function linesOf(host: string, text: string): readonly string[] {
  return recordsIn(JSON.parse(text)).flatMap((models) =>
    recordsIn(models).flatMap(({ type, id, contextWindow, cost }) => {
      if (type !== 'chat') return [];
      const tiers = isRecord(cost) && Array.isArray(cost['tiers']) ? cost['tiers'] : [];
      const steps = recordsIn(tiers).map((tier) => tier['inputTokensAbove']);
      return [[host, id, contextWindow, ...(steps.length > 0 ? [steps] : [])].join('\t')];
    }),
  );
}

function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Object.values(Object(value)).filter(isRecord);
}

/** A module without what the formatter decides. */
function plain(text: string): string {
  return text.replaceAll("'", '');
}

const flags = process.argv.slice(2);
const isMaking = flags.includes('--make');
const from = flags[flags.indexOf('--from') + 1];
let text = readFileSync(dataFile, 'utf8');
const before: Catalogue = readCatalogue(text);
if (flags.includes('--from') && from !== undefined) {
  text = fetched(before.name, from === 'pinned' ? before.version : from);
  const changed = differences(before, readCatalogue(text));
  console.log(
    `${before.name} ${from}: ${changed.length} models differ`,
    ...changed.map((line) => `\n${line}`),
  );
  if (changed.length > 0 && !isMaking) process.exitCode = 1;
  if (isMaking) writeFileSync(dataFile, text);
}
const made = moduleOf(readCatalogue(text));
if (isMaking) writeFileSync(tableFile, made);
else if (plain(readFileSync(tableFile, 'utf8')) !== plain(made)) {
  console.log(
    'src/sizes/tokens/model-windows.ts is not what `npm run make:windows` makes: run it, and look at what changed.',
  );
  process.exitCode = 1;
} else
  console.log(
    `${before.rows.length} models of ${before.name} ${before.version}, and the table is made of them`,
  );
