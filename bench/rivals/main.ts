import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Method } from '../cache/methods/method.ts';
import { nothing } from '../cache/methods/nothing.ts';
import { ours } from '../cache/methods/ours.ts';
import { prunedMessages } from '../cache/methods/pruned-messages.ts';
import { agentScenario, agentTask, chatScenario, type Scenario } from '../cache/scenario.ts';
import { writeResults } from '../write-results.ts';
import { decisionTime } from './decision-times.ts';
import { mastra, voltAgent, type Host } from './hosts.ts';
import { contextChef } from './methods/context-chef.ts';
import { eve } from './methods/eve.ts';
import { langChainSummaries } from './methods/langchain-summaries.ts';
import { trimmedMessages } from './methods/trim-messages.ts';
import { observe, type Observation } from './observe.ts';

// How each way to keep a conversation within a limit behaves. Definitions: README.md of the folder above.

const contextLength = 4000;
const concurrentCalls = 20;
const isTiny = process.argv.includes('--tiny');

const methods: readonly (Method | Host)[] = [
  ours('this package'),
  ours("this package, `'rule-based'`", { strategy: 'rule-based' }),
  contextChef(false),
  contextChef(true),
  await eve(),
  langChainSummaries,
  mastra,
  voltAgent,
  trimmedMessages,
  prunedMessages,
  nothing,
];
/** Those whose rows the README shows. */
const inShort = [methods[0], methods[2], methods[4], methods[5]];

const size = { system: 60, user: [20, 60], assistant: [40, 120] } as const;
const technical = chatScenario({ ...size, turns: isTiny ? 40 : 200 });
const plain = inPlainEnglish(technical);
const agent = agentScenario({
  steps: isTiny ? 20 : 40,
  system: 60,
  text: [10, 30],
  result: [60, 400],
});
// The last call of a chat that has just grown beyond the limit.
const longChat = chatScenario({ ...size, turns: 40 });
const question = (call: number): string => `Question ${call + 1}:`;

const rows = new Map<Method | Host, string>();
for (const method of methods) {
  try {
    rows.set(method, await rowOf(method));
  } catch (error) {
    // One that is not installed, or that ends the process of its user.
    const [reason] = String(error).split('\n');
    rows.set(method, `| ${method.name} | not run: ${reason} | | | | |`);
  }
}
const head = [
  '| | prompts over the limit: plain chat / technical chat / tool loop | summaries paid, the same | in the loop: without the user’s task / illegal | paid for 20 concurrent requests | time before a call of 220,000 tokens, over `JSON.parse` |',
  '|---|---|---|---|---|---|',
];
const command = 'npm run bench -- rivals';
writeResults('rivals', command, [...head, ...rows.values()]);
writeResults('rivals-short', command, [
  ...head,
  ...inShort.flatMap((method) => (method && rows.get(method)) ?? []),
]);
// Agents of others keep timers.
process.exit();

async function rowOf(method: Method | Host): Promise<string> {
  const seen = async (taskOf: (call: number) => string, scenario: Scenario): Promise<Observation> =>
    observe(method, contextLength, taskOf, scenario, (model) => oneByOne(scenario, model));
  const chats = [await seen(question, plain), await seen(question, technical)];
  const loop = await seen(() => agentTask, agent);
  const all = [...chats, loop];
  const over = all.map(({ overLimit, sent }) => `${overLimit} of ${sent}`).join(' / ');
  const summaries = all.map((of) => of.summaries).join(' / ');
  const cells = [over, summaries, `${loop.taskGone} / ${loop.illegal}`];
  if ('play' in method)
    return rowWith(method, [...cells, 'keeps the history', 'keeps the history']);
  const drive = async (model: LanguageModelV4): Promise<void> => atOnce(longChat, model);
  const together = await observe(method, contextLength, () => 'Question 40:', longChat, drive);
  const ratio = await decisionTime(method, 300_000, longAgent());
  return rowWith(method, [...cells, String(together.summaries), ratio.toFixed(1)]);
}

function rowWith({ name }: Method | Host, cells: readonly string[]): string {
  return `| ${name} | ${cells.join(' | ')} |`;
}

/** An agent at three quarters of its limit: nothing is to be done, and that has to be found out. */
function longAgent(): Scenario {
  return agentScenario({
    steps: isTiny ? 40 : 200,
    system: 1200,
    text: [10, 50],
    result: [60, 1200],
  });
}

/** Without names of files, so that four characters a token are more than there are: estimates are on the safe side. */
function inPlainEnglish(scenario: Scenario): Scenario {
  const text = JSON.stringify(scenario.messages);
  const plainText = text.replaceAll(/ \(see [^)]*\)| What of src[^?]*\?/g, '');
  return { ...scenario, messages: JSON.parse(plainText) };
}

/** Every call of the scenario, each with the history in fresh objects. */
async function oneByOne(
  { calls, messages, tools }: Scenario,
  model: LanguageModelV4,
): Promise<void> {
  for (const count of calls) {
    const prompt = structuredClone(messages.slice(0, count));
    await model.doGenerate({ prompt, tools: [...tools] });
  }
}

/** The last call of the scenario, many times at once. */
async function atOnce({ calls, messages, tools }: Scenario, model: LanguageModelV4): Promise<void> {
  const prompt = messages.slice(0, calls.at(-1));
  await Promise.all(
    Array.from({ length: concurrentCalls }, () =>
      model.doGenerate({ prompt: structuredClone(prompt), tools: [...tools] }),
    ),
  );
}
