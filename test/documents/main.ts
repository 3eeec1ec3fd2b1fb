// Checks what the documents say: their TypeScript compiles against the source as a user's would, under
// `strict` and `exactOptionalPropertyTypes`, what of it needs neither network nor server runs, their links lead
// somewhere, and the files are there that contributors are led to.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { brokenLinks, missingFiles } from './broken-links.ts';
import { codeBlocks } from './code-blocks.ts';

const root = path.resolve(import.meta.dirname, '../..');
// Below `node_modules`, so that packages are found from there.
const folder = path.join(root, 'node_modules/.cache/documents');
const documents = [
  'README.md',
  'AGENTS.md',
  ...globSync(['docs/**/*.md', 'skills/**/*.md'], { cwd: root }),
];
/** Packages that are here, or that `stand-ins.ts` stands in for, and that need no server. */
const offlinePackages =
  /^(?:ai|zod|node:.+|ai-sdk-summarization(?:\/.+)?|@ai-sdk\/openai|@opentelemetry\/api|next\/server)$/;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
let count = 0;
const offline: string[] = [];
for (const document of documents) {
  for (const { line, language, source } of codeBlocks(
    readFileSync(path.join(root, document), 'utf8'),
  )) {
    const name = `${document.replaceAll('/', '-')}-${line}.${language}`;
    writeFileSync(path.join(folder, name), source);
    count += 1;
    if (language === 'ts' && runsOffline(source)) offline.push(path.join(folder, name));
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
const compiled = spawnSync('tsc', ['-p', folder], { stdio: 'inherit', cwd: folder });
const run = spawnSync('node', [path.join(import.meta.dirname, 'run-blocks.ts'), ...offline], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    NODE_NO_WARNINGS: '1',
    SUMMARY_SECRET: 'as openssl rand -base64 32 makes one',
  },
});

const broken = documents.flatMap((document) =>
  brokenLinks(path.join(root, document)).map((target) => `${document}: ${target} leads nowhere`),
);
broken.push(
  ...missingFiles(path.join(root, 'CONTRIBUTING.md')).map(
    (name) => `CONTRIBUTING.md: ${name} is not there`,
  ),
);
for (const problem of broken) console.error(problem);
console.log(
  `${count} blocks of ${documents.length} documents, of which ${offline.length} were run`,
);
const isRight = compiled.status === 0 && run.status === 0 && broken.length === 0;
process.exitCode = isRight && offline.length > 0 ? 0 : 1;

/** Whether a block takes nothing for granted that is only declared, and imports what needs no server. */
function runsOffline(source: string): boolean {
  const imported = [...source.matchAll(/^(?:import|\}) .*from '([^']+)'/gm)].map(
    ([, name = '']) => name,
  );
  return !/^declare /m.test(source) && imported.every((name) => offlinePackages.test(name));
}
