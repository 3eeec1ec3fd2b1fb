import type { JSONObject } from '@ai-sdk/provider';
import { jsonSchema, type ModelMessage, tool, type ToolSet } from 'ai';
import * as fc from 'fast-check';
import { type Feature, wireTools } from './conversations.ts';
import { anthropicDialect, type Dialect, responsesDialect } from './dialects.ts';
import { type Reasoning, answer, system, toolStep, user } from './messages.ts';

/** A random conversation, and the lengths at which it could have been sent. */
export interface RandomConversation {
  readonly messages: readonly ModelMessage[];
  readonly ends: readonly number[];
}

/** Conversations of a few turns with tools, in shapes that the provider accepts. */
export function randomConversation(
  dialect: Dialect,
  lacks: readonly Feature[],
): fc.Arbitrary<RandomConversation> {
  const has = (feature: Feature): fc.Arbitrary<boolean> =>
    lacks.includes(feature) ? fc.constant(false) : fc.boolean();
  const reasoning: fc.Arbitrary<Reasoning | 'none'> = fc.constantFrom(
    'none' as const,
    ...(dialect.reasoningOptions === undefined ? [] : ['signed' as const]),
    ...(dialect.hiddenReasoning === undefined ? [] : ['hidden' as const]),
    ...(lacks.includes('foreign-reasoning') ? [] : ['foreign' as const]),
  );
  const server = dialect.serverTool === undefined ? fc.constant(false) : fc.boolean();
  const step = fc.record({
    calls: fc.integer({ min: 1, max: 3 }),
    text: fc.boolean(),
    reasoning,
    server,
  });
  const turn = fc.record({
    users: has('user-run').map((twice) => (twice ? 2 : 1)),
    isLateSystem: has('late-system'),
    steps: fc.array(step, { maxLength: 4 }),
    isInterrupted: has('user-after-tool'),
    reasoning,
    server,
  });
  const systems = has('several-systems').map((twice) => (twice ? 2 : 1));
  return fc
    .tuple(fc.oneof(fc.constant(0), systems), fc.array(turn, { minLength: 1, maxLength: 6 }))
    .map(([count, turns]) => build(dialect, count, turns));
}

/** Whether an assistant message reasons, and whether it uses a tool of the provider. */
interface Extra {
  readonly reasoning: Reasoning | 'none';
  readonly server: boolean;
}

interface Turn extends Extra {
  readonly users: number;
  readonly isLateSystem: boolean;
  readonly steps: readonly (Extra & { readonly calls: number; readonly text: boolean })[];
  readonly isInterrupted: boolean;
}

function build(dialect: Dialect, systems: number, turns: readonly Turn[]): RandomConversation {
  const messages: ModelMessage[] = Array.from({ length: systems }, (_, index) =>
    system(`Instruction ${index + 1} for the agent.`),
  );
  const ends: number[] = [];
  let number = 0;
  const extra = (shape: Extra) => ({
    ...(shape.reasoning === 'none' ? {} : { reasoning: shape.reasoning }),
    before: shape.server ? (dialect.serverTool?.(number) ?? []) : [],
  });
  for (const [index, turn] of turns.entries()) {
    for (let count = 0; count < turn.users; count += 1) {
      messages.push(user(`topic ${index + 1} ${count + 1}`));
    }
    ends.push(messages.length);
    if (turn.isLateSystem) messages.push(system(`From turn ${index + 1} on be brief.`));
    for (const shape of turn.steps) {
      number += 1;
      const { calls, text } = shape;
      messages.push(...toolStep(dialect, number, { calls, text, ...extra(shape) }));
      ends.push(messages.length);
    }
    number += 1;
    if (!turn.isInterrupted || turn.steps.length === 0) {
      messages.push(answer(dialect, number, extra(turn)));
    }
  }
  return { messages: messages.slice(0, ends.at(-1)), ends };
}

/** The tools of these conversations, one of them declared and not loaded. */
export const toolsWithOneDeferred: ToolSet = {
  ...wireTools,
  search_files: tool({
    description: 'Searches files.',
    inputSchema: jsonSchema({ type: 'object', properties: {} }),
    providerOptions: { anthropic: { deferLoading: true } },
  }),
};

/** An empty system message that sets something on OpenAI Responses, or Anthropic, from there on. */
const openaiUpdate = (options: JSONObject): ModelMessage => system('', { openai: options });
const anthropicUpdate = (options: JSONObject): ModelMessage => system('', { anthropic: options });

/** A tool as OpenAI's `additionalTools` define it. */
function loadedTool(name: string, description = `Does ${name}.`): JSONObject {
  const parameters = { type: 'object', properties: {}, additionalProperties: false };
  return { type: 'function', name, description, parameters };
}

/** Customers, as a namespace of tools. */
const crm = (...tools: JSONObject[]): JSONObject => ({
  type: 'namespace',
  name: 'crm',
  description: 'Customers.',
  tools,
});

/** Lets the results of a run of messages load tools. */
function loading(
  messages: readonly ModelMessage[],
  ...additionalTools: JSONObject[]
): ModelMessage[] {
  const providerOptions = { openai: { additionalTools } };
  return messages.map((message): ModelMessage => {
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) =>
      part.type === 'tool-result' ? { ...part, providerOptions } : part,
    );
    return { ...message, content };
  });
}

/** A response format. */
const verdictFormat: JSONObject = {
  type: 'json_schema',
  name: 'verdict',
  schema: { type: 'object', properties: {}, additionalProperties: false },
};

/** A tool as Anthropic's `toolChanges` define it. */
function definedTool(name: string, description = `Does ${name}.`): JSONObject {
  const schema = { type: 'object', properties: {} };
  return {
    type: 'tool_addition',
    tool: { type: 'function', name, description, inputSchema: schema },
  };
}

const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

const efforts = ['low', 'medium', 'high'] as const;
const names = ['list_issues', 'close_issue', 'find_customer'] as const;
const someName = fc.constantFrom(...names);

const openaiControl = fc
  .record({
    reasoningEffortUpdate: maybe(fc.constantFrom(...efforts)),
    textFormatUpdate: maybe(fc.constantFrom({ type: 'text' }, verdictFormat)),
    additionalTools: maybe(
      fc.array(
        fc.tuple(someName, fc.nat({ max: 2 }), fc.boolean()).map(([name, version, isGrouped]) => {
          const loaded = loadedTool(name, `Version ${version}.`);
          return isGrouped ? crm(loaded) : loaded;
        }),
        { minLength: 1, maxLength: 2 },
      ),
    ),
  })
  .filter((options) => Object.values(options).some((value) => value !== undefined))
  .map((options): JSONObject => options);

/** Conversations for OpenAI Responses; no two updates stand side by side. */
export const openaiStateful: fc.Arbitrary<RandomConversation> = fc
  .record({
    instructions: fc.boolean(),
    opening: maybe(openaiControl),
    turns: fc.array(
      fc.record({
        before: maybe(openaiControl),
        after: maybe(openaiControl),
        steps: fc.array(maybe(someName), { maxLength: 2 }),
        text: fc.boolean(),
      }),
      { minLength: 3, maxLength: 6 },
    ),
  })
  .map(({ instructions, opening, turns }) => {
    const messages: ModelMessage[] = [
      ...(instructions ? [system('You are an agent.')] : []),
      ...(opening === undefined ? [] : [openaiUpdate(opening)]),
    ];
    const ends: number[] = [];
    let step = 0;
    for (const [turn, { before, after, steps, text }] of turns.entries()) {
      if (turn > 0 && before !== undefined) messages.push(openaiUpdate(before));
      messages.push(user(`topic ${turn}`));
      if (text) messages.push(system(`Rule ${turn} holds from now on.`));
      if (after !== undefined) messages.push(openaiUpdate(after));
      ends.push(messages.length);
      for (const name of steps) {
        const run = toolStep(responsesDialect, (step += 1));
        messages.push(
          ...(name === undefined ? run : loading(run, loadedTool(name, `At ${step}.`))),
        );
        ends.push(messages.length);
      }
      messages.push(answer(responsesDialect, (step += 1)));
    }
    return { messages: messages.slice(0, ends.at(-1)), ends };
  });

/** What a plan does to tools: each number is a tool to turn on or off, and whether to describe it anew. */
function changesOf(
  plan: readonly (readonly [number, boolean])[],
  loaded: Map<string, boolean>,
): JSONObject[] {
  const changed = new Set<string>();
  return plan.flatMap(([pick, isRedefined]): JSONObject[] => {
    const toolName = ['search_files', 'execute_bash', ...names][pick % 5] ?? '';
    if (changed.has(toolName)) return [];
    changed.add(toolName);
    const isDeclared = pick % 5 < 2;
    const isThere = loaded.get(toolName) === true;
    if (!isDeclared && isThere && isRedefined) return [definedTool(toolName, 'Described anew.')];
    loaded.set(toolName, !isThere);
    if (isThere) return [{ type: 'tool_removal', toolName }];
    return [isDeclared ? { type: 'tool_addition', toolName } : definedTool(toolName)];
  });
}

const anthropicControl = fc.record({
  text: fc.boolean(),
  effort: maybe(fc.constantFrom(...efforts)),
  changes: fc.array(fc.tuple(fc.nat({ max: 4 }), fc.boolean()), { maxLength: 2 }),
  reminder: fc.boolean(),
});

/** Conversations for Anthropic models that take system messages in mid conversation. */
export const anthropicStateful: fc.Arbitrary<RandomConversation> = fc
  .record({
    instructions: fc.boolean(),
    turns: fc.array(
      fc.record({
        before: maybe(fc.constantFrom(...efforts)),
        after: maybe(anthropicControl),
        steps: fc.nat({ max: 2 }),
      }),
      { minLength: 3, maxLength: 6 },
    ),
  })
  .map(({ instructions, turns }) => {
    const messages: ModelMessage[] = instructions ? [system('You are an agent.')] : [];
    const ends: number[] = [];
    const loaded = new Map([['execute_bash', true]]);
    let step = 0;
    for (const [turn, { before, after, steps }] of turns.entries()) {
      if (before !== undefined) messages.push(anthropicUpdate({ effort: before }));
      messages.push(user(`topic ${turn}`));
      if (after !== undefined) {
        const { text, effort, reminder } = after;
        const toolChanges = changesOf(after.changes, loaded);
        const anthropic = {
          ...(effort === undefined ? {} : { effort }),
          ...(toolChanges.length === 0 ? {} : { toolChanges }),
        };
        if (text || Object.keys(anthropic).length > 0)
          messages.push(system(text ? `Rule ${turn} holds from now on.` : '', { anthropic }));
        if (reminder)
          messages.push(
            system(`Only now: ${turn}.`, { anthropic: { clearAt: 'next_user_message' } }),
          );
      }
      ends.push(messages.length);
      for (let index = 0; index < steps; index += 1) {
        messages.push(...toolStep(anthropicDialect, (step += 1)));
        ends.push(messages.length);
      }
      messages.push(answer(anthropicDialect, (step += 1)));
    }
    return { messages: messages.slice(0, ends.at(-1)), ends };
  });
