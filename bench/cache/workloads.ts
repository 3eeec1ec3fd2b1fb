import { agentScenario, chatScenario, thinkingMs, type Scenario } from './scenario.ts';

/** Conversations of one kind, one after the other. */
export interface Workload {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

const length = process.argv.includes('--tiny') ? 60 : 500;
const chatSize = { turns: length, system: 600, user: [20, 90], assistant: [80, 320] } as const;
const agentSize = { steps: length, system: 1200, text: [10, 50], result: [60, 1200] } as const;
/** Outputs of which a few hold most of the tokens, as searches and logs do. */
const largeOutputs = {
  steps: Math.min(length, 200),
  system: 1200,
  text: [10, 50],
  result: [60, 3600],
} as const;
const shortTurns = 8;
const minuteMs = 60_000;

/** What is replayed: 500 turns, 500 steps, 200 with large outputs, 500 with pauses, and chats that end soon. */
export const workloads: readonly Workload[] = [
  { name: 'chat', scenarios: [chatScenario(chatSize)] },
  { name: 'agent', scenarios: [agentScenario(agentSize)] },
  { name: 'large outputs', scenarios: [agentScenario(largeOutputs)] },
  {
    name: 'agent with pauses',
    scenarios: [
      agentScenario(agentSize, (call) => {
        if (call % 100 === 99) return 180 * minuteMs;
        return call % 20 === 19 ? 10 * minuteMs : 0;
      }),
    ],
  },
  {
    name: 'many short chats',
    scenarios: Array.from({ length: 60 }, (_, index) =>
      chatScenario(
        { ...chatSize, turns: shortTurns },
        { seed: 10 + index, startsAt: index * shortTurns * thinkingMs },
      ),
    ),
  },
];
