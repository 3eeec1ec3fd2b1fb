/**
 * Packs the built package as it is published and installs it, with npm and with pnpm, into new projects with AI SDK
 * 6 and 7 and their OpenAI provider; compiles a strict program there under both module resolutions, and runs it on
 * this Node and on 22, as a module and as a script that requires it; all majors, or the one that an argument names.
 * Run after `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const majors = [
  { ai: '^6', provider: '^3' },
  { ai: '^7', provider: '^4' },
];
const nodeNext = { module: 'nodenext', moduleResolution: 'nodenext' };
const bundler = { module: 'preserve', moduleResolution: 'bundler' };
const here = import.meta.dirname;
const repository = path.join(here, '../..');
/** What installs a project in its folder, and how it is compiled then: with pnpm by what reads the folders itself. */
const managers: readonly {
  readonly install: readonly [command: string, ...given: readonly string[]];
  readonly resolutions: readonly (typeof nodeNext)[];
}[] = [
  {
    install: ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'],
    resolutions: [bundler, nodeNext],
  },
  {
    install: [path.join(repository, 'node_modules/.bin/pnpm'), 'install', '--ignore-scripts'],
    resolutions: [nodeNext],
  },
];

function run(folder: string, command: string, ...given: readonly string[]): void {
  execFileSync(command, given, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Installs the oldest major of Node that the package runs on, and gives the path of its program. */
function installOldestNode(folder: string): string {
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}`;
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--no-save', `${name}@22`);
  return path.join(folder, 'node_modules', name, 'bin/node');
}

/** What one new project is made of. */
interface Setting {
  readonly packed: string;
  readonly major: (typeof majors)[number];
  readonly manager: (typeof managers)[number];
  /** Programs of the versions of Node that run it, each what one resolution was compiled with. */
  readonly nodes: readonly string[];
}

function checkInstall({ packed, major: { ai, provider }, manager, nodes }: Setting): void {
  const project = mkdtempSync(path.join(tmpdir(), 'new-project-'));
  try {
    const dependencies = {
      ai,
      '@ai-sdk/openai': provider,
      'ai-sdk-summarization': `file:${packed}`,
      zod: '^4',
      typescript: '^5.9.0',
      '@types/node': '^24',
    };
    const manifest = { name: 'new-project', private: true, type: 'module', dependencies };
    writeFileSync(path.join(project, 'package.json'), JSON.stringify(manifest));
    run(project, ...manager.install);
    for (const program of ['program.ts', 'required.cjs'])
      copyFileSync(path.join(here, 'project', program), path.join(project, program));
    for (const [index, resolution] of manager.resolutions.entries()) {
      const compilerOptions = {
        ...resolution,
        target: 'es2024',
        lib: ['es2024', 'dom', 'dom.asynciterable'],
        strict: true,
        exactOptionalPropertyTypes: true,
        types: ['node'],
        skipLibCheck: true,
      };
      const config = { compilerOptions, files: ['program.ts'] };
      writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(config));
      run(project, 'npx', 'tsc');
      run(project, nodes[index] ?? process.execPath, 'program.js');
    }
    for (const node of nodes) run(project, node, 'required.cjs');
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: 'river stone cloud '.repeat(40),
    }));
    writeFileSync(path.join(project, 'chat.json'), JSON.stringify(messages));
    run(project, 'npx', 'ai-sdk-summarization', 'inspect', 'chat.json', '--context', '4000');
    console.log(`ai ${ai}, ${path.basename(manager.install[0])}: a new project compiles and runs.`);
  } finally {
    rmSync(project, { recursive: true });
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
try {
  run(repository, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  const [tarball] = readdirSync(folder);
  const nodes = [installOldestNode(path.join(folder, 'node-22')), process.execPath];
  if (tarball === undefined) throw new Error('npm pack made no file.');
  const [wanted] = process.argv.slice(2);
  const chosen = majors.filter(({ ai }) => wanted === undefined || ai === `^${wanted}`);
  if (chosen.length === 0) throw new Error(`There is no major ${wanted}; allowed: 6, 7.`);
  const packed = path.join(folder, tarball);
  for (const major of chosen)
    for (const manager of managers) checkInstall({ packed, major, manager, nodes });
} finally {
  rmSync(folder, { recursive: true });
}
