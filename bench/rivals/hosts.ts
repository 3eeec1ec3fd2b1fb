import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { jsonSchema } from 'ai';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Scenario } from '../cache/scenario.ts';
import { silentLog } from '../silent-log.ts';

/** What a framework that keeps the history itself is given. */
export interface HostInput {
  /** Answers as the scenario does. */
  readonly model: LanguageModelV4;
  readonly summarizer: LanguageModelV4;
  readonly contextLength: number;
}

/** A framework that keeps the history itself, and gets the user's messages one by one. */
export interface Host {
  readonly name: string;
  readonly play: (input: HostInput, scenario: Scenario) => Promise<void>;
}

/** An object of a framework, made of options. */
type Maker<Made = object> = new (options: object) => Made;

type Generate = (text: string, options: object) => Promise<unknown>;

interface MastraPackage {
  readonly Agent: Maker<{ generate: Generate }>;
  readonly InMemoryStore: Maker;
  readonly Memory: Maker;
}

interface VoltAgentPackage {
  readonly Agent: Maker<{ generateText: Generate }>;
  readonly InMemoryStorageAdapter: Maker;
  readonly Memory: Maker;
  readonly Tool: Maker;
}

/** The file of a package that the tests of hosts install. */
function fileOf(name: string, from: string = ''): string {
  const folder = path.resolve(import.meta.dirname, '../../test/hosts', from);
  return pathToFileURL(createRequire(path.join(folder, 'main.js')).resolve(name)).href;
}

/** Mastra's agent with observational memory, which observes at a fifth of the limit: above that its loops go over. */
export const mastra: Host = {
  name: 'Mastra observational memory 1.31',
  play: async ({ model, summarizer, contextLength }, scenario) => {
    const { Agent, InMemoryStore, Memory }: MastraPackage = {
      ...(await import(fileOf('@mastra/core/agent'))),
      ...(await import(fileOf('@mastra/core/storage'))),
      ...(await import(fileOf('@mastra/memory'))),
    };
    const agent = new Agent({
      id: 'a',
      name: 'a',
      instructions: instructionsOf(scenario.messages),
      model,
      tools: toolsOf(scenario, 'id'),
      memory: new Memory({
        storage: new InMemoryStore({}),
        options: {
          observationalMemory: {
            model: summarizer,
            observation: { messageTokens: Math.floor(contextLength * 0.2), bufferTokens: false },
            reflection: { observationTokens: Math.floor(contextLength * 0.2) },
          },
        },
      }),
    });
    await talk(scenario, (text) =>
      agent.generate(text, { maxSteps: 100, memory: { thread: 'one', resource: 'user' } }),
    );
  },
};

let plays = 0;

/** VoltAgent with its summarization, at 80 % of the limit; on AI SDK 6. */
export const voltAgent: Host = {
  name: 'VoltAgent 2.10',
  play: async ({ model, summarizer, contextLength }, scenario) => {
    const volt: VoltAgentPackage = await import(fileOf('@voltagent/core', 'sdk-6'));
    plays += 1;
    const name = `agent-${plays}`; // which it keeps state by in the process
    const agent = new volt.Agent({
      id: name,
      name,
      instructions: instructionsOf(scenario.messages),
      model: { ...model, specificationVersion: 'v3' },
      tools: Object.values(toolsOf(scenario, 'name')).map((tool) => new volt.Tool(tool)),
      memory: new volt.Memory({ storage: new volt.InMemoryStorageAdapter({}) }),
      summarization: {
        triggerTokens: Math.floor(contextLength * 0.8),
        model: { ...summarizer, specificationVersion: 'v3' },
      },
      maxSteps: 100,
      logger: silentLog,
    });
    await talk(scenario, (text) =>
      agent.generateText(text, { userId: name, conversationId: name, contextLimit: 1000 }),
    );
  },
};

/** Says what the user of the scenario says. */
async function talk(
  { messages }: Scenario,
  say: (text: string) => Promise<unknown>,
): Promise<void> {
  for (const message of messages)
    if (message.role === 'user')
      await say(message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
}

function instructionsOf([first]: LanguageModelV4Prompt): string {
  return first?.role === 'system' ? first.content : '';
}

/** The tools of the scenario, which give its results one after the other. */
function toolsOf({ messages, tools }: Scenario, nameField: 'id' | 'name'): Record<string, object> {
  let next = 0;
  const results = messages.flatMap((message) =>
    message.role === 'tool'
      ? message.content.map((part) =>
          part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '',
        )
      : [],
  );
  const execute = async (): Promise<string> => results[next++] ?? '';
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      {
        [nameField]: name,
        description,
        inputSchema: jsonSchema(inputSchema),
        parameters: jsonSchema(inputSchema),
        execute,
      },
    ]),
  );
}
