import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

/**
 * A Worker of this folder in one file, as a platform is given it, with the package as it was built.
 *
 * @param constants - Strings for names that the Worker declares.
 */
export async function bundle(
  file: string,
  constants: Readonly<Record<string, string>> = {},
): Promise<string> {
  const texts = Object.entries(constants).map(([name, text]) => [name, JSON.stringify(text)]);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers'],
    // Whose paths lead to the source.
    tsconfigRaw: {},
    define: Object.fromEntries(texts),
  });
  return outputFiles[0]?.text ?? '';
}
