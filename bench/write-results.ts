import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const at = (file: string): URL => new URL(`../${file}`, import.meta.url);

/** Documents that show tables of `bench/results.md` between `<!-- figures: name -->` and `<!-- /figures -->`. */
const pages = ['README.md', 'docs/costs.md'];

/**
 * Prints the table of a command, and with `RESULTS` in the environment writes it into `bench/results.md` and the
 * pages that show it, with date, commit and machine.
 *
 * @param name - The heading of `bench/results.md` that it stands under.
 */
export function writeResults(name: string, command: string, table: readonly string[]): void {
  console.log(`\n${table.join('\n')}`);
  if (process.env['RESULTS'] === undefined) return;
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' });
  const date = new Date().toISOString().slice(0, 10);
  const [processor] = cpus();
  const machine = `${cpus().length} cores (${processor?.model}), load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}`;
  const shown = `${table.join('\n')}\n\n\`${command}\`, ${date}, ${commit.trim()}, ${machine}.`;
  const results = readFileSync(at('bench/results.md'), 'utf8');
  writeFileSync(
    at('bench/results.md'),
    results.replace(
      new RegExp(`(?<=^## ${name}\n\n)[^]*?(?=\n\n## |\n$(?![^]))`, 'm'),
      () => shown,
    ),
  );
  for (const page of pages) {
    const text = readFileSync(at(page), 'utf8');
    const place = new RegExp(`(?<=<!-- figures: ${name} -->\n\n)[^]*?(?=\n\n<!-- /figures -->)`);
    writeFileSync(
      at(page),
      text.replace(place, () => shown),
    );
  }
}
