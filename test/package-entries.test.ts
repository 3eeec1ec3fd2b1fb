import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { build } from 'tsdown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPath, entries } from '../entries.ts';
import * as api from '../src/index.ts';
import * as text from '../src/entries/text/index.ts';
import config from '../tsdown.config.ts';

import packageJson from '../package.json' with { type: 'json' };
import tsconfig from '../tsconfig.json' with { type: 'json' };

const names = Object.keys(entries);
const specifiers = names.map((name) => path.posix.join('ai-sdk-summarization', name));

describe('the entries of the package', () => {
  it('are those that package.json exports', () => {
    const exported = names.map((name) => {
      const built = `./dist/${builtPath(name)}`;
      return [name, { types: `${built}.d.ts`, default: `${built}.js` }];
    });
    expect(packageJson.exports).toEqual({
      ...Object.fromEntries(exported),
      './package.json': './package.json',
      './settings.schema.json': './settings.schema.json',
    });
  });

  it('are those that the compiler finds the sources of', () => {
    const sources = Object.values(entries).map(({ source }) => [`./${source}`]);
    expect(tsconfig.compilerOptions.paths).toEqual(
      Object.fromEntries(specifiers.map((specifier, index) => [specifier, sources[index]])),
    );
  });

  it('are those of the table of functions', () => {
    const page = readFileSync(new URL('../docs/tune.md', import.meta.url), 'utf8');
    const [, table = ''] = page.split('## Functions');
    const named = [...table.matchAll(/^\|[^|]*/gm)].flatMap(
      ([cell]) => cell.match(/\/[a-z]+/g) ?? [],
    );
    expect(named.toSorted()).toEqual(
      names
        .slice(1)
        .map((name) => name.slice(1))
        .toSorted(),
    );
  });
});

describe('the built package', () => {
  let folder = '';
  let files: readonly string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'built-package-'));
    const settings = { ...config, outDir: folder, publint: false, attw: false };
    await build({ ...settings, config: false, logLevel: 'silent' });
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('has the code and the types of each entry', () => {
    const expected = names.flatMap((name) => [`${builtPath(name)}.js`, `${builtPath(name)}.d.ts`]);
    expect(files).toEqual(expect.arrayContaining(expected));
  });

  it('takes the types of the SDK from ai, and of the provider package no more than messages', () => {
    const texts = files
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'));
    const imports = texts.flatMap((each) => [...each.matchAll(/^import .* from "([^."]+)";/gm)]);
    expect(new Set(imports.map(([, name]) => name))).toEqual(
      new Set(['@ai-sdk/provider', 'ai', 'react', 'zod/v4']),
    );
    const ofProvider = texts.flatMap((each) => each.match(/^.* from "@ai-sdk\/provider";/gm) ?? []);
    const imported = ofProvider.flatMap((line) => /\{ (.+) \}/.exec(line)?.[1]?.split(', ') ?? []);
    expect(new Set(imported)).toEqual(new Set(['LanguageModelV4Message']));
  });
});

describe('the public API', () => {
  it('is this and nothing else', () => {
    const errors = 'ContextOverflowError SummarizationError SummarizationOptionError';
    const ofPrompts = 'compact compactTool contextLengthOf countPromptTokens readCompactCommand';
    const ofStrategies = 'defineStrategy llmStrategy ruleBasedStrategy';
    const ofSummaries =
      'eraseConversation explainSummarization isContextOverflow listSummaries memoryStore prepareSummary readArchive summarizationMiddleware summarizeConversation summarizeToolCall summaryRecordSchema summaryTreeId undoSummarization';
    const all = [errors, ofPrompts, ofStrategies, ofSummaries].join(' ').split(' ');
    expect(Object.keys(api).toSorted()).toEqual(all.toSorted());
  });

  it('is this for texts', () => {
    expect(Object.keys(text).toSorted()).toEqual(['middleTruncate', 'summarize']);
  });

  it('is tested against AI SDK 7', () => {
    const { version }: { version: string } = createRequire(import.meta.url)('ai/package.json');
    expect(version).toMatch(/^7\./);
  });
});

it('the root entry loads no more than 87 kB, compressed and without its dependencies', async () => {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [new URL('../src/index.ts', import.meta.url).pathname],
    loader: { '.md': 'text' },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    platform: 'neutral',
    packages: 'external',
  });
  const loaded = new Set<string>(['out/index.js']);
  // What is loaded with it, not on demand; a file that is added is looked at in turn.
  for (const name of loaded)
    for (const { path: imported, kind, external } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) loaded.add(imported);
  const files = outputFiles.filter((file) => [...loaded].some((name) => file.path.endsWith(name)));
  expect(files).toHaveLength(loaded.size);
  const compressed = files.map(({ contents }) => brotliCompressSync(contents).length);
  expect(compressed.reduce((total, size) => total + size)).toBeLessThanOrEqual(87_000);
});
