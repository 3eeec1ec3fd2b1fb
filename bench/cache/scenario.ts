import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { randomNumbers } from './random.ts';
import { fileName, prose, toolOutput } from './texts.ts';

/** A conversation and the calls that are made while it grows. */
export interface Scenario {
  readonly name: string;
  readonly tools: readonly LanguageModelV4FunctionTool[];
  readonly messages: LanguageModelV4Prompt;
  /** How many of the messages each call sends. */
  readonly calls: readonly number[];
}

/** Lengths in words. */
export interface ChatSize {
  readonly turns: number;
  readonly system: number;
  /** Shortest and longest user message. */
  readonly user: Range;
  /** Shortest and longest answer. */
  readonly assistant: Range;
}

/** Lengths in words. */
export interface AgentSize {
  readonly steps: number;
  readonly system: number;
  /** What the model writes beside a tool call. */
  readonly text: Range;
  /** Shortest and longest tool result; short ones are the more frequent. */
  readonly result: Range;
}

type Range = readonly [least: number, most: number];

/** The one sentence of an agent's task; whether a prompt still holds it is looked up literally. */
export const agentTask =
  'Migrate the invoice store to version 7 of the ledger API without touching the audit log.';

/** A chat: the user asks, the assistant answers. */
export function chatScenario({ turns, system, user, assistant }: ChatSize): Scenario {
  const random = randomNumbers(1);
  const messages: LanguageModelV4Message[] = [{ role: 'system', content: prose(random, system) }];
  const calls: number[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const question = `Question ${turn}: ${prose(random, between(random, user))}`;
    messages.push({ role: 'user', content: [{ type: 'text', text: question }] });
    calls.push(messages.length);
    const answer = prose(random, between(random, assistant));
    messages.push({ role: 'assistant', content: [{ type: 'text', text: answer }] });
  }
  return { name: `${turns}-turn chat`, tools: [], messages, calls };
}

/** An agent: one task, then a tool call a step, every call of the model with one step more. */
export function agentScenario({ steps, system, text, result }: AgentSize): Scenario {
  const random = randomNumbers(2);
  const task = `${agentTask} ${prose(random, 60)}`;
  const messages: LanguageModelV4Message[] = [
    { role: 'system', content: prose(random, system) },
    { role: 'user', content: [{ type: 'text', text: task }] },
  ];
  const calls: number[] = [];
  for (let step = 1; step <= steps; step += 1) {
    calls.push(messages.length);
    const tool = tools[Math.floor(random() * tools.length)];
    const common = { toolCallId: `call_${step}`, toolName: tool?.name ?? '' };
    const [least, most] = result;
    const value = toolOutput(random, least + (most - least) * random() ** 2);
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: prose(random, between(random, text)) },
          { type: 'tool-call', ...common, input: { path: fileName(random), note: `step ${step}` } },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...common, output: { type: 'text', value } }],
      },
    );
  }
  return { name: `${steps}-step agent`, tools, messages, calls };
}

const tools = ['read_file', 'search_files', 'execute_bash', 'edit_file'].map(
  (name): LanguageModelV4FunctionTool => ({
    type: 'function',
    name,
    description: prose(randomNumbers(name.length), 60),
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, note: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  }),
);

function between(random: () => number, [least, most]: Range): number {
  return least + (most - least) * random();
}
