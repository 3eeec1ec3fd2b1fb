// Holds the public API to its report: `npm run check:api`. A change of what users import shows in the report's
// difference; `npm run make:api` writes it. Each value has to be there when the entry is imported, and nothing else.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';
import { builtPath, entries } from '../../entries.ts';
import config from '../../tsdown.config.ts';
import { declarationReader } from './describe-exports.ts';

const root = path.resolve(import.meta.dirname, '../..');
const report = path.join(import.meta.dirname, 'report.md');
// Below `node_modules`, so that packages are found from there.
const folder = mkdtempSync(path.join(root, 'node_modules/.api-'));
const problems: string[] = [];
try {
  const settings = { ...config, outDir: folder, publint: false, attw: false };
  await build({ ...settings, config: false, logLevel: 'silent' });
  const describeEntry = declarationReader();
  const sections: string[] = [];
  const mentioned = new Map<string, string>();
  for (const entry of Object.keys(entries)) {
    const built = path.join(folder, builtPath(entry));
    const { exported, mentioned: others } = describeEntry(`${built}.d.ts`);
    const values = exported.filter(({ isValue }) => isValue).map(({ name }) => name);
    const there = Object.keys(await import(pathToFileURL(`${built}.js`).href)).toSorted();
    if (values.join() !== there.join())
      problems.push(`${entry} declares ${values.join(', ')}, and has ${there.join(', ')}.`);
    const texts = exported.map(({ text }) => text);
    sections.push(`## ${entry}\n\n\`\`\`ts\n${texts.join('\n\n')}\n\`\`\`\n`);
    for (const [name, text] of others) mentioned.set(`${name}\n${text}`, text);
  }
  const exportedTexts = sections.join('\n');
  const rest = [...mentioned].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  const written = `# The public API\n\nAll exports of all entries, as \`npm run make:api\` wrote them from the built declarations.\n\n${exportedTexts}\n## Types that exports mention\n\n\`\`\`ts\n${rest.join('\n\n')}\n\`\`\`\n`;
  if (process.argv.includes('--make')) writeFileSync(report, written);
  const difference = firstDifference(readFileSync(report, 'utf8'), written);
  if (difference !== undefined)
    problems.push(
      `The public API is not that of test/api/report.md (npm run make:api): ${difference}`,
    );
  console.log(`${Object.keys(entries).length} entries, ${written.split('\n').length} lines of API`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function firstDifference(before: string, now: string): string | undefined {
  const [old, lines] = [before.split('\n'), now.split('\n')];
  const at = lines.findIndex((line, index) => line !== old[index]);
  if (at < 0 && lines.length === old.length) return undefined;
  const index = at < 0 ? lines.length : at;
  return `line ${index + 1} was ${JSON.stringify(old[index] ?? '')}, and is ${JSON.stringify(lines[index] ?? '')}`;
}
