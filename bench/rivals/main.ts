import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Method } from '../cache/methods/method.ts';
import { nothing } from '../cache/methods/nothing.ts';
import { ours } from '../cache/methods/ours.ts';
import { prunedMessages } from '../cache/methods/pruned-messages.ts';
import { agentScenario, agentTask, chatScenario, type Scenario } from '../cache/scenario.ts';
import { decisionTime } from './decision-times.ts';
import { contextChef } from './methods/context-chef.ts';
import { trimmedMessages } from './methods/trim-messages.ts';
import { observe } from './observe.ts';

// How each way to keep a conversation within a limit behaves. Definitions: README.md of the folder above.

const contextLength = 4000;
const concurrentCalls = 20;

const methods: readonly Method[] = [
  ours('ours, a model summarises'),
  ours('ours, rule-based', { strategy: 'rule-based' }),
  contextChef(false),
  contextChef(true),
  trimmedMessages,
  prunedMessages,
  nothing,
];

const chat = chatScenario({ turns: 200, system: 60, user: [20, 60], assistant: [40, 120] });
const agent = agentScenario({ steps: 40, system: 60, text: [10, 30], result: [60, 400] });
// The last call of a chat that has just grown beyond the limit.
const longChat = chatScenario({ turns: 40, system: 60, user: [20, 60], assistant: [40, 120] });

await printTable('200 turns of a chat', (call) => `Question ${call + 1}:`, chat, oneByOne(chat));
await printTable('a tool loop of 40 steps', () => agentTask, agent, oneByOne(agent));
await printTable(
  `${concurrentCalls} concurrent requests of one conversation`,
  () => 'Question 40:',
  longChat,
  atOnce(longChat),
);

await printTimes();

/** An agent at three quarters of its limit: nothing is to be done, and that has to be found out. */
async function printTimes(): Promise<void> {
  const long = agentScenario({ steps: 200, system: 1200, text: [10, 50], result: [60, 1200] });
  const limit = 300_000;
  console.log(
    `\nTime before a call of about 220,000 tokens of ${limit}, over JSON.parse of its prompt`,
  );
  printRow('', ['ms', 'x']);
  for (const method of methods) {
    const { ms, ratio } = await decisionTime(method, limit, long);
    printRow(method.name, [ms.toFixed(2), ratio.toFixed(2)]);
  }
}

async function printTable(
  title: string,
  taskOf: (call: number) => string,
  { calls }: Scenario,
  drive: (model: LanguageModelV4) => Promise<void>,
): Promise<void> {
  console.log(
    `\n${title}, limit of ${contextLength} tokens (${calls.length} calls in the history)`,
  );
  printRow('', ['prompts', 'over limit', 'most tokens', 'summaries', 'task gone', 'illegal']);
  for (const method of methods) {
    const seen = await observe(method, contextLength, taskOf, drive);
    const cells = [seen.sent, seen.overLimit, seen.mostTokens, seen.summaries, seen.taskGone];
    printRow(method.name, [...cells, seen.illegal].map(String));
  }
}

/** Every call of the scenario, each with the history in fresh objects. */
function oneByOne({ calls, messages, tools }: Scenario) {
  return async (model: LanguageModelV4): Promise<void> => {
    for (const count of calls) {
      const prompt = structuredClone(messages.slice(0, count));
      await model.doGenerate({ prompt, tools: [...tools] });
    }
  };
}

/** The last call of the scenario, many times at once. */
function atOnce({ calls, messages, tools }: Scenario) {
  return async (model: LanguageModelV4): Promise<void> => {
    const prompt = messages.slice(0, calls.at(-1));
    await Promise.all(
      Array.from({ length: concurrentCalls }, () =>
        model.doGenerate({ prompt: structuredClone(prompt), tools: [...tools] }),
      ),
    );
  };
}

function printRow(name: string, cells: readonly string[]): void {
  console.log([name.padEnd(32), ...cells.map((cell) => cell.padStart(11))].join('  '));
}
