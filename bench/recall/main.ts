import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import type * as Recall from '../../src/entries/recall/index.ts';
import { builtRoot } from '../built-package.ts';
import { modelThat } from '../model-that.ts';
import { writeResults } from '../write-results.ts';
import { facts } from './facts.ts';

// How much of what was said `recallTool` finds by a few words, in ten languages, and how long that takes.

/** Passages among which the one that is looked for has to be. */
const firstPassages = 3;
/** Share that has to be found. */
const leastShare = 0.95;

const { recallTool }: typeof Recall = await import(
  new URL('../../dist/recall/index.js', import.meta.url).href
);
const questions = Object.entries(facts).flatMap(([language, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [said = '', asked = ''] = line.split(' | ');
      return { language, said, asked };
    }),
);
const messages: ModelMessage[] = questions.flatMap(({ said }): ModelMessage[] => [
  { role: 'user', content: said },
  { role: 'assistant', content: 'Noted.' },
]);

const conversationId = 'facts';
const store = builtRoot.memoryStore();
await generateText({
  model: wrapLanguageModel({
    model: modelThat({ provider: 'openai.responses', modelId: 'gpt-5' }, async () => ({
      content: [{ type: 'text', text: 'Noted.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: {
          total: undefined,
          noCache: undefined,
          cacheRead: undefined,
          cacheWrite: undefined,
        },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
      warnings: [],
    })),
    middleware: builtRoot.summarizationMiddleware({
      store,
      archive: true,
      strategy: builtRoot.ruleBasedStrategy(),
      preserveRecent: 2,
      preserveRecentTokenRatio: 0,
    }),
  }),
  messages: [...messages, ...messages.slice(0, 2)],
  providerOptions: { summarization: { conversationId, force: true } },
});

const { execute } = recallTool({ store, conversationId, maxTurnTokens: 1_000_000 });
if (execute === undefined) throw new Error('The tool cannot be executed.');
const search = async (query: string): Promise<readonly { readonly text: string }[]> => {
  const given = { toolCallId: 'call', messages: [], context: {} };
  const answer = await execute({ query }, given);
  return 'passages' in answer ? answer.passages : [];
};
const begun = performance.now();
await search('nothing');
const opened = performance.now();
const found = new Map<string, number>();
for (const { language, said, asked } of questions) {
  const passages = await search(asked);
  const isFound = passages.slice(0, firstPassages).some(({ text }) => text.includes(said));
  found.set(language, (found.get(language) ?? 0) + (isFound ? 1 : 0));
  if (!isFound) console.log(`not found: ${asked}`);
}
const searched = performance.now();

const total = [...found.values()].reduce((sum, each) => sum + each, 0);
writeResults('recall', 'npm run bench -- recall', [
  `| language | found among the first ${firstPassages} of ${messages.length} messages |`,
  '|---|---|',
  ...[...found].map(([language, count]) => `| ${language} | ${count} of 20 |`),
  `| all | ${((100 * total) / questions.length).toFixed(1)} % of ${questions.length}; index ${(opened - begun).toFixed(0)} ms, a search ${((searched - opened) / questions.length).toFixed(2)} ms |`,
]);
if (total < leastShare * questions.length) process.exitCode = 1;
