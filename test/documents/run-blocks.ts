// Runs the blocks whose files are given, one after the other, in an empty folder. The source of the package takes the
// place of what is installed, a scripted model that of OpenAI's, so that nothing is built and nothing leaves
// the machine. A block that exports a `POST` handler is sent a message as `useChat` sends it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import tsconfig from '../../tsconfig.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const instead = new Map([
  ...Object.entries(tsconfig.compilerOptions.paths).map(
    ([name, [source = '']]) => [name, path.join(root, source)] as const,
  ),
  ['@ai-sdk/openai', path.join(import.meta.dirname, 'stand-ins.ts')],
  ['next/server', path.join(import.meta.dirname, 'stand-ins.ts')],
]);

registerHooks({
  resolve: (name, context, next) => {
    const file = instead.get(name);
    return next(file === undefined ? name : pathToFileURL(file).href, context);
  },
  load: (url, context, next) => {
    const read = (): string => readFileSync(new URL(url), 'utf8');
    if (url.endsWith('.md'))
      return {
        format: 'module',
        source: `export default ${JSON.stringify(read())}`,
        shortCircuit: true,
      };
    // Node takes types out of no file below `node_modules`.
    if (url.endsWith('.ts'))
      return { format: 'module', source: stripTypeScriptTypes(read()), shortCircuit: true };
    return next(url, context);
  },
});

for (const file of process.argv.slice(2)) {
  const folder = mkdtempSync(path.join(tmpdir(), 'block-'));
  process.chdir(folder);
  try {
    const block: { POST?: (request: Request) => Promise<Response> } = await import(
      pathToFileURL(file).href
    );
    if (block.POST !== undefined) await checkAnswer(block.POST);
  } catch (cause) {
    throw new Error(`${path.basename(file)} does not run.`, { cause });
  } finally {
    process.chdir(root);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkAnswer(post: (request: Request) => Promise<Response>): Promise<void> {
  const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }];
  const body = JSON.stringify({ messages });
  const answer = await (
    await post(new Request('http://localhost/', { method: 'POST', body }))
  ).text();
  if (!answer.includes('text-delta')) throw new Error(`No text was answered: ${answer}`);
}
