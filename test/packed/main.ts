/**
 * Packs the built package as it is published and installs it, with npm and with pnpm, into new projects with AI SDK
 * 6 and 7 and their OpenAI provider; compiles a strict program there under each module resolution, and runs each on
 * this Node and on 22, as a module and as a script that requires it; all majors, or the one that an argument names.
 * Run after `npm run build`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const majors = [
  { ai: '^6', provider: '^3' },
  { ai: '^7', provider: '^4' },
];
const resolutions = [
  { module: 'preserve', moduleResolution: 'bundler' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
];
const here = import.meta.dirname;
const repository = path.join(here, '../..');
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];

function run(folder: string, command: string, ...given: readonly string[]): void {
  execFileSync(command, given, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Files of the package at most, and bytes of its archive. */
const mostFiles = 400;
const mostBytes = 720_000;

/** What npm says of an archive. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Packs the package into a folder, and returns the archive.
 *
 * @throws {Error} where it holds more than it may, or its sources besides.
 */
function packInto(folder: string): string {
  const given = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const packed = execFileSync('npm', given, { cwd: repository, encoding: 'utf8' });
  const [{ filename, size, files }]: [Packed] = JSON.parse(packed);
  const paths = files.map((file) => file.path);
  console.log(`${paths.length} files, ${Math.round(size / 1000)} kB.`);
  if (paths.length > mostFiles) throw new Error(`There may be ${mostFiles} files at most.`);
  if (size > mostBytes) throw new Error(`There may be ${mostBytes / 1000} kB at most.`);
  const second = paths.find((name) => name.startsWith('src/') || name.endsWith('.map'));
  if (second !== undefined) throw new Error(`${second} is a second copy of what is built.`);
  return path.join(folder, filename);
}

/** Compiles a project. Declarations are checked too, but those of other packages are not ours to mend. */
function compile(project: string): void {
  const { status, stdout } = spawnSync('npx', ['tsc', '--pretty', 'false'], {
    cwd: project,
    encoding: 'utf8',
  });
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
  const ours = errors.filter(
    (line) => !/^node_modules\/(?!ai-sdk-summarization\/dist\/)/.test(line),
  );
  if (ours.length > 0 || (status !== 0 && errors.length === 0))
    throw new Error(`The project does not compile:\n${ours.join('\n') || stdout}`);
}

/** What a user has installed. */
interface Tools {
  /** Programs of the versions of Node that run a project, the oldest first. */
  readonly nodes: readonly string[];
  readonly pnpm: string;
}

function installTools(folder: string): Tools {
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}`;
  run(folder, 'npm', ...install, '--no-save', `${name}@22`, 'pnpm@12');
  const modules = path.join(folder, 'node_modules');
  const oldest = path.join(modules, name, 'bin/node');
  return { nodes: [oldest, process.execPath], pnpm: path.join(modules, '.bin/pnpm') };
}

/** What installs a project in its folder. */
type Manager = readonly [command: string, ...given: readonly string[]];

function managersOf({ pnpm }: Tools): readonly Manager[] {
  return [
    ['npm', ...install],
    [pnpm, 'install', '--ignore-scripts'],
  ];
}

/** What one new project is made of. */
interface Setting {
  readonly packed: string;
  readonly major: (typeof majors)[number];
  readonly manager: Manager;
  readonly nodes: Tools['nodes'];
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
    run(project, ...manager);
    for (const program of ['program.ts', 'required.cjs'])
      copyFileSync(path.join(here, 'project', program), path.join(project, program));
    for (const resolution of resolutions) {
      const compilerOptions = {
        ...resolution,
        target: 'es2024',
        lib: ['es2024', 'dom', 'dom.asynciterable'],
        strict: true,
        exactOptionalPropertyTypes: true,
        types: ['node'],
        skipLibCheck: false,
      };
      const config = { compilerOptions, files: ['program.ts'] };
      writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(config));
      compile(project);
      for (const node of nodes) run(project, node, 'program.js');
    }
    for (const node of nodes) run(project, node, 'required.cjs');
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: 'river stone cloud '.repeat(40),
    }));
    writeFileSync(path.join(project, 'chat.json'), JSON.stringify(messages));
    run(project, 'npx', 'ai-sdk-summarization', 'inspect', 'chat.json', '--context', '4000');
    console.log(`ai ${ai}, ${path.basename(manager[0])}: a new project compiles and runs.`);
  } finally {
    rmSync(project, { recursive: true });
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
try {
  const packed = packInto(folder);
  const [wanted] = process.argv.slice(2);
  const chosen = majors.filter(({ ai }) => wanted === undefined || ai === `^${wanted}`);
  if (chosen.length === 0) throw new Error(`There is no major ${wanted}; allowed: 6, 7.`);
  const tools = installTools(path.join(folder, 'tools'));
  for (const major of chosen)
    for (const manager of managersOf(tools))
      checkInstall({ packed, major, manager, nodes: tools.nodes });
} finally {
  rmSync(folder, { recursive: true });
}
