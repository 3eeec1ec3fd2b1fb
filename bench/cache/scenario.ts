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
  /** When each call is made: milliseconds since the first one of the workload. */
  readonly at: readonly number[];
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

/** Rules that the user states. */
const userRules: readonly string[] = [
  'Never touch the audit log.',
  'Always write amounts in minor units.',
  'Do not add dependencies.',
];

/** The one sentence of an agent's task; whether a prompt still holds it is looked up literally. */
export const agentTask =
  'Migrate the invoice store to version 7 of the ledger API without touching the audit log.';

/** Files that an agent changes, again and again, more of them as it goes on. */
const changedFiles = 20;

/** Milliseconds between two calls of people and of agents. */
export const thinkingMs: number = 40_000;
const steppingMs = 8000;

/** A chat: the user asks, the assistant answers; one question in two is about a file that was named before. */
export function chatScenario(
  { turns, system, user, assistant }: ChatSize,
  { seed = 1, startsAt = 0 }: { readonly seed?: number; readonly startsAt?: number } = {},
): Scenario {
  const random = randomNumbers(seed);
  const content = prose(randomNumbers(3), system);
  const messages: LanguageModelV4Message[] = [{ role: 'system', content }];
  const named: string[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const rule = userRules[(turn - 1) / 4] ?? '';
    const about = random() < 0.5 ? ` What of ${namedBefore(random, named)}?` : '';
    const said = prose(random, between(random, user));
    const question = `Question ${turn}: ${rule} ${said}${about}`;
    const answer = prose(random, between(random, assistant));
    messages.push(
      { role: 'user', content: [{ type: 'text', text: question }] },
      { role: 'assistant', content: [{ type: 'text', text: answer }] },
    );
    named.push(...namesIn(question), ...namesIn(answer));
  }
  const calls = callsOf(messages);
  const at = calls.map((_, index) => startsAt + index * thinkingMs);
  return { name: `${turns}-turn chat`, tools: [], messages, calls, at };
}

/** An agent: one task, then a tool call a step, every call of the model with one step more. */
export function agentScenario(
  { steps, system, text, result }: AgentSize,
  pauseBefore: (call: number) => number = () => 0,
): Scenario {
  const random = randomNumbers(2);
  const rules = userRules.slice(0, 2).join(' ');
  const task = `${agentTask} ${rules} ${prose(random, 60)}`;
  const messages: LanguageModelV4Message[] = [
    { role: 'system', content: prose(random, system) },
    { role: 'user', content: [{ type: 'text', text: task }] },
  ];
  const named: string[] = [];
  const changed = Array.from({ length: changedFiles }, () => fileName(random));
  for (let step = 1; step <= steps; step += 1) {
    const tool = tools[Math.floor(random() * tools.length)];
    const common = { toolCallId: `call_${step}`, toolName: tool?.name ?? '' };
    const [least, most] = result;
    const value = toolOutput(random, least + (most - least) * random() ** 2);
    const change = changed[Math.floor((changedFiles * step * random()) / steps)];
    const path = tool?.name === 'edit_file' ? (change ?? '') : namedBefore(random, named);
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: prose(random, between(random, text)) },
          { type: 'tool-call', ...common, input: { path, note: `step ${step}` } },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...common, output: { type: 'text', value } }],
      },
    );
    named.push(...namesIn(value).slice(0, 2), path);
  }
  const calls = callsOf(messages);
  let now = 0;
  const at = calls.map((_, index) => (now += steppingMs + pauseBefore(index)));
  return { name: `${steps}-step agent`, tools, messages, calls, at };
}

/** Names of files in a text. */
export function namesIn(text: string): readonly string[] {
  return text.match(/src\/[a-z]+\/[a-z]+-\d+\.ts/gu) ?? [];
}

/** One file in two is one that was named before, of the newest ones more often. */
function namedBefore(random: () => number, named: readonly string[]): string {
  const known = named[named.length - 1 - Math.floor(named.length * random() ** 2)];
  return known === undefined || random() < 0.5 ? fileName(random) : known;
}

/** A call before each answer. */
function callsOf(messages: LanguageModelV4Prompt): readonly number[] {
  return messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
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
