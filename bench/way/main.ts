import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Runtime } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { answer, chatModel, summarizerModel } from '../../test/support/models.ts';

// What of the source runs in one call: its modules, its functions, and the frames between the SDK and the model that
// summarizes. Definitions: README.md of the folder above.

/** Whether names are shown too. */
const isListing = process.argv.includes('--list');

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

/** Names of the functions of the source that ran since it was last asked, by module. */
async function ran(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const scripts = result
    .filter(({ url }) => url.startsWith(source))
    .map(({ url, functions }) => {
      const names = functions
        // What begins at 0 without a name is the module itself, as it loads.
        .filter(({ functionName: name, ranges }) => name !== '' || ranges[0]?.startOffset !== 0)
        .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
        .map(({ functionName: name }) => name || '(unnamed)');
      return [url.slice(source.length), names] as const;
    });
  return new Map(scripts.filter(([, names]) => names.length > 0));
}

function conversation(name: string, messages: number): ModelMessage[] {
  const words = 'The build was looked at again, and nothing new came up in it. '.repeat(12);
  return Array.from({ length: messages }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Step ${index} of ${name}: ${words}`,
  }));
}

/** Frames of the source on a stack, and on those of what was awaited behind it, innermost first. */
function framesOf(stack: Runtime.StackTrace | undefined): readonly string[] {
  if (stack === undefined) return [];
  const own = stack.callFrames
    .filter(({ url }) => url.startsWith(source))
    .map(({ url, functionName }) => `${url.slice(source.length)}: ${functionName || '(unnamed)'}`);
  return [...own, ...framesOf(stack.parent)];
}

let frames: readonly string[] = [];
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
/** With how many messages, and how many modules and functions it may run at most: some more run where it pauses. */
const calls = [
  ['below the trigger', 12, 49, 170],
  ['that summarizes', 48, 108, 710],
  ['with a record applied', 50, 57, 250],
] as const;
const mostFrames = 15;
// The first conversation loads what it needs, which is not part of a call.
for (const conversationName of ['loading', 'measured'])
  for (const [name, messages, mostModules, mostFunctions] of calls) {
    await ran();
    await generateText({ model, messages: conversation(conversationName, messages) });
    const functions = await ran();
    if (conversationName !== 'measured') continue;
    const count = [...functions.values()].flat().length;
    console.log(`${name.padEnd(22)}  ${functions.size} modules, ${count} functions`);
    if (functions.size > mostModules || count > mostFunctions) process.exitCode = 1;
    if (isListing)
      for (const [file, names] of functions) console.log(`  ${file}: ${names.join(' ')}`);
  }
console.log(`${frames.length} frames between the SDK and the model that summarizes`);
if (frames.length > mostFrames) process.exitCode = 1;
if (process.exitCode === 1) console.error('A call runs more than it may.');
if (isListing) for (const frame of frames) console.log(`  ${frame}`);
