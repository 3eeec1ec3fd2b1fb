// Checks what the documents say: their TypeScript compiles against the source as a user's would, under
// `strict` and `exactOptionalPropertyTypes`, and their links lead somewhere.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { brokenLinks } from './broken-links.ts';
import { codeBlocks } from './code-blocks.ts';

const root = path.resolve(import.meta.dirname, '../..');
// Below `node_modules`, so that packages are found from there.
const folder = path.join(root, 'node_modules/.cache/documents');
const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
let count = 0;
for (const document of documents) {
  for (const { line, language, source } of codeBlocks(
    readFileSync(path.join(root, document), 'utf8'),
  )) {
    const name = `${document.replaceAll('/', '-')}-${line}.${language}`;
    writeFileSync(path.join(folder, name), source);
    count += 1;
  }
}
writeFileSync(
  path.join(folder, 'tsconfig.json'),
  JSON.stringify({
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      isolatedDeclarations: false,
      declaration: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
      paths: Object.fromEntries(
        Object.entries(tsconfig.compilerOptions.paths).map(([name, sources]) => [
          name,
          sources.map((source) => path.join(root, source)),
        ]),
      ),
    },
    include: [
      folder,
      path.join(import.meta.dirname, 'packages.d.ts'),
      path.join(root, 'src/**/*.d.ts'),
    ],
  }),
);
const { status } = spawnSync('tsc', ['-p', folder], { stdio: 'inherit', cwd: folder });

const broken = documents.flatMap((document) =>
  brokenLinks(path.join(root, document)).map((target) => `${document}: ${target} leads nowhere`),
);
for (const problem of broken) console.error(problem);
console.log(`${count} blocks of ${documents.length} documents`);
process.exitCode = status === 0 && broken.length === 0 && count > 0 ? 0 : 1;
