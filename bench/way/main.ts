import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Runtime } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { answer, chatModel, summarizerModel } from '../../test/support/models.ts';

// What of the source runs in one call: its modules, its functions, and the frames between the SDK and the model that
// summarises. Definitions: README.md of the folder above.

const source = new URL('../../src/', import.meta.url).href;

// Prompts are Markdown files imported as text, as in the build.
registerHooks({
  load: (url, context, next) =>
    url.startsWith(source) || !url.endsWith('.md')
      ? next(url, context)
      : {
          format: 'module',
          source: `export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))};`,
          shortCircuit: true,
        },
});

const { summarizationMiddleware } = await import('../../src/index.ts');
const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** What ran of the source since it was last asked. */
async function ran(): Promise<{ readonly modules: number; readonly functions: number }> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const scripts = result
    .filter(({ url }) => url.startsWith(source))
    .map(
      ({ functions }) =>
        // The first one is the module itself, as it loads.
        functions.slice(1).filter(({ ranges }) => ranges.some(({ count }) => count > 0)).length,
    )
    .filter((count) => count > 0);
  return { modules: scripts.length, functions: scripts.reduce((sum, count) => sum + count, 0) };
}

function conversation(name: string, messages: number): ModelMessage[] {
  const words = 'The build was looked at again, and nothing new came up in it. '.repeat(12);
  return Array.from({ length: messages }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Step ${index} of ${name}: ${words}`,
  }));
}

/** Frames of the source on a stack, and on those of what was awaited behind it. */
function framesOf(stack: Runtime.StackTrace | undefined): number {
  if (stack === undefined) return 0;
  const own = stack.callFrames.filter(({ url }) => url.startsWith(source)).length;
  return own + framesOf(stack.parent);
}

let frames = 0;
session.on('Runtime.consoleAPICalled', ({ params }) => {
  if (params.type === 'trace') frames = framesOf(params.stackTrace);
});
await session.post('Runtime.enable');
await session.post('Debugger.enable');
await session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 1000 });

const summarizer = summarizerModel(() => {
  console.trace();
  return answer({ summary: 'They look at the build.' });
});
const model = wrapLanguageModel({
  model: chatModel(),
  middleware: summarizationMiddleware({
    contextLength: 8000,
    summarizerModelPreference: summarizer,
  }),
});

await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const calls = [
  ['below the trigger', 12],
  ['that summarises', 48],
  ['with a record applied', 50],
] as const;
// The first conversation loads what it needs, which is not part of a call.
for (const conversationName of ['loading', 'measured'])
  for (const [name, messages] of calls) {
    await ran();
    await generateText({ model, messages: conversation(conversationName, messages) });
    const { modules, functions } = await ran();
    if (conversationName === 'measured')
      console.log(`${name.padEnd(22)}  ${modules} modules, ${functions} functions`);
  }
console.log(`${frames} frames between the SDK and the model that summarises`);
