import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

// By how much a Worker in one file grows with the middleware, minified and compressed, the tokenizer's tables left out as
// docs/deploy.md says.

/** Bytes that it may grow by, without the tables. */
const mostGrowth = 126_000;

const root = new URL('../../', import.meta.url).pathname;
const tables = 'gpt-tokenizer/bpeRanks/o200k_base';

/** A Worker that wraps the model `model` with a middleware. */
const workerWith = (middleware: string): string => `
  import { generateText, wrapLanguageModel } from 'ai';
  const middleware = ${middleware};
  const wrapped = () => wrapLanguageModel({ model: globalThis.model, middleware });
  export default {
    fetch: async () => Response.json(await generateText({ model: wrapped(), prompt: 'Hello.' })),
  };`;
const bare = workerWith('{}');
const summarizing = `import { summarizationMiddleware } from './dist/index.js';${workerWith('summarizationMiddleware()')}`;

/** Bytes of a Worker as `wrangler` bundles it. */
async function sizeOf(contents: string, withTables: boolean): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
    plugins: [
      {
        name: 'without the tables',
        setup: (bundler) => {
          if (withTables) return;
          bundler.onResolve({ filter: /^gpt-tokenizer\/bpeRanks\// }, ({ path }) =>
            path === tables ? { path, namespace: 'empty' } : undefined,
          );
          bundler.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({
            contents: 'export default undefined;',
          }));
        },
      },
    ],
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

const before = await sizeOf(bare, true);
const growth = (await sizeOf(summarizing, false)) - before;
const whole = (await sizeOf(summarizing, true)) - before;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
console.log(
  `A Worker grows by ${kilobytes(growth)} of at most ${kilobytes(mostGrowth)}, and by ${kilobytes(whole)} with the tokenizer's tables.`,
);
if (whole < 5 * growth) throw new Error('The tables were not left out, or are no longer loaded.');
if (growth > mostGrowth) throw new Error(`That is ${kilobytes(growth - mostGrowth)} too much.`);
