import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

/** Bytes of what loads with the root entry: minified, and compressed with brotli. */
export interface EntrySize {
  readonly minified: number;
  readonly compressed: number;
}

/** Bundles the root entry without its dependencies and adds up what is loaded with it, not on demand. */
export async function entrySize(): Promise<EntrySize> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/index.ts', import.meta.url))],
    loader: { '.md': 'text' },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    platform: 'neutral',
    external: [
      'ai',
      'zod',
      'zod/*',
      '@ai-sdk/provider',
      'gpt-tokenizer',
      'gpt-tokenizer/*',
      'minisearch',
    ],
  });
  const outputs = metafile.outputs;
  const entry = Object.keys(outputs).find((name) =>
    outputs[name]?.entryPoint?.endsWith('src/index.ts'),
  );
  const loaded = new Set<string>();
  const pending = entry === undefined ? [] : [entry];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    for (const { path, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) pending.push(path);
  }
  const files = outputFiles.filter(({ path }) => [...loaded].some((name) => path.endsWith(name)));
  return {
    minified: files.reduce((total, { contents }) => total + contents.length, 0),
    compressed: files.reduce(
      (total, { contents }) => total + brotliCompressSync(contents).length,
      0,
    ),
  };
}
