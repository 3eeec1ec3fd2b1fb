/**
 * Packs the built package as it is published, installs it into new projects with AI SDK 6 and 7 and their
 * OpenAI provider, compiles a strict program there under both module resolutions, and runs it as a module and
 * as a script that requires it. Run after `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const majors = [
  { ai: '^6', provider: '^3' },
  { ai: '^7', provider: '^4' },
];
const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'preserve', moduleResolution: 'bundler' },
];
const here = import.meta.dirname;
const repository = path.join(here, '../..');

function run(folder: string, command: string, ...given: readonly string[]): void {
  execFileSync(command, given, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
}

function checkInstall(packed: string, { ai, provider }: (typeof majors)[number]): void {
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
    run(project, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts');
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
        skipLibCheck: true,
      };
      const config = { compilerOptions, files: ['program.ts'] };
      writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(config));
      run(project, 'npx', 'tsc');
      run(project, process.execPath, 'program.js');
    }
    run(project, process.execPath, 'required.cjs');
    console.log(`ai ${ai}: a new project compiles and runs.`);
  } finally {
    rmSync(project, { recursive: true });
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
try {
  run(repository, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  const [tarball] = readdirSync(folder);
  if (tarball === undefined) throw new Error('npm pack made no file.');
  for (const major of majors) checkInstall(path.join(folder, tarball), major);
} finally {
  rmSync(folder, { recursive: true });
}
