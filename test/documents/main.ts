// Checks what the documents say: their TypeScript compiles against the source as a user's would, under
// `strict` and `exactOptionalPropertyTypes`, says where AI SDK 6 has other names, what of it needs neither network nor server runs, their links lead
// somewhere, and the files are there that contributors are led to.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { slugOf } from '../../site/slug-of.ts';
import tsconfig from '../../tsconfig.json' with { type: 'json' };

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
/** Not imported: its global types are others. */
const olderSdk: object = createRequire(import.meta.url)('ai-6');
const offline: string[] = [];
const unnamed: string[] = [];
for (const document of documents) {
  for (const { line, language, source } of codeBlocks(
    readFileSync(path.join(root, document), 'utf8'),
  )) {
    const name = `${document.replaceAll('/', '-')}-${line}.${language}`;
    writeFileSync(path.join(folder, name), source);
    count += 1;
    unnamed.push(
      ...notInOlderSdk(source).map(
        (missing) =>
          `${document}:${line}: AI SDK 6 has no ${missing}, and the block does not say so`,
      ),
    );
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
broken.push(...unnamed);
for (const problem of broken) console.error(problem);
console.log(
  `${count} blocks of ${documents.length} documents, of which ${offline.length} were run`,
);
const isRight = compiled.status === 0 && run.status === 0 && broken.length === 0;
process.exitCode = isRight && offline.length > 0 ? 0 : 1;

/** Values that a block takes of the SDK which version 6 does not have, where it says nothing of that version. */
function notInOlderSdk(source: string): readonly string[] {
  if (source.includes('// AI SDK 6: ')) return [];
  const imports = [...source.matchAll(/^import \{([^}]*)\} from 'ai';$/gm)];
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return names.filter((name) => /^\w+$/.test(name) && !(name in olderSdk));
}

/** Whether a block takes nothing for granted that is only declared, and imports what needs no server. */
function runsOffline(source: string): boolean {
  const imported = [...source.matchAll(/^(?:import|\}) .*from '([^']+)'/gm)].map(
    ([, name = '']) => name,
  );
  return !/^declare /m.test(source) && imported.every((name) => offlinePackages.test(name));
}

/** A block of TypeScript in a document, with what it takes for granted. */
interface CodeBlock {
  /** Line of the document on which the code begins, from 1. */
  readonly line: number;
  /** Ending of a file with such code. */
  readonly language: 'ts' | 'tsx';
  /** A module with the code on the lines that it has in the document. */
  readonly source: string;
}

/**
 * The TypeScript blocks of a Markdown document. A comment `<!-- assumes … -->` before a block declares
 * what surrounds it in a program, without being shown.
 */
function codeBlocks(document: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let assumed: string[] = [];
  let open: 'assumes' | CodeBlock['language'] | 'other' | undefined;
  let begin = 0;
  document.split('\n').forEach((line, index, lines) => {
    if (open === undefined) {
      const fence = /^```(\w*)/.exec(line);
      if (line === '<!-- assumes') open = 'assumes';
      else if (fence) {
        open = fence[1] === 'ts' || fence[1] === 'tsx' ? fence[1] : 'other';
        begin = index + 1;
      } else if (line.trim() !== '') assumed = [];
    } else if (open === 'assumes') {
      if (line === '-->') open = undefined;
      else assumed[index] = line;
    } else if (line === '```') {
      if (open !== 'other') {
        const code = Array.from(lines.slice(0, index), (text, at) =>
          at >= begin ? text : (assumed[at] ?? ''),
        );
        blocks.push({
          line: begin + 1,
          language: open,
          source: `${code.join('\n')}\nexport {};\n`,
        });
      }
      assumed = [];
      open = undefined;
    }
  });
  return blocks;
}

/** Links of a Markdown document to files and headings that are not there. */
function brokenLinks(file: string): string[] {
  const targets = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)];
  return targets.flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [place = '', heading] = target.split('#');
    const linked = place === '' ? file : path.join(path.dirname(file), place);
    if (!existsSync(linked)) return [target];
    return heading === undefined || headings(linked).includes(heading) ? [] : [target];
  });
}

/** Files of the source that a Markdown document names, by their place in `src/` or in the repository, and that are not there. */
function missingFiles(file: string): string[] {
  const beside = path.dirname(file);
  const named = [...readFileSync(file, 'utf8').matchAll(/(?:[a-z\d-]+\/)+[a-z\d-]+\.ts\b/g)];
  return named
    .map(([name]) => name)
    .filter(
      (name) => ![beside, path.join(beside, 'src')].some((at) => existsSync(path.join(at, name))),
    );
}

function headings(file: string): string[] {
  const text = withoutCode(readFileSync(file, 'utf8'));
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name);
  return [
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading)),
    ...named,
  ];
}

function withoutCode(document: string): string {
  return document.replaceAll(/^```[\s\S]*?^```/gm, '');
}
