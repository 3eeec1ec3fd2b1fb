import type { JSONObject } from '@ai-sdk/provider';
import type { ModelMessage } from 'ai';
import * as fc from 'fast-check';
import { anthropicDialect, responsesDialect } from './dialects.ts';
import { answer, system, toolStep, user } from './messages.ts';
import {
  anthropicUpdate,
  definedTool,
  loadedTool,
  loading,
  openaiUpdate,
  verdictFormat,
} from './state-conversations.ts';

/** A conversation full of controls, and the lengths at which the model may be asked to go on. */
export interface StatefulConversation {
  readonly messages: readonly ModelMessage[];
  readonly ends: readonly number[];
}

const efforts = ['low', 'medium', 'high'] as const;
const names = ['list_issues', 'close_issue', 'find_customer'] as const;
const someName = fc.constantFrom(...names);

const openaiControl = fc
  .record({
    reasoningEffortUpdate: fc.option(fc.constantFrom(...efforts), { nil: undefined }),
    textFormatUpdate: fc.option(fc.constantFrom({ type: 'text' }, verdictFormat), {
      nil: undefined,
    }),
    additionalTools: fc.option(
      fc.array(
        fc.tuple(someName, fc.nat({ max: 2 }), fc.boolean()).map(([name, version, isGrouped]) => {
          const tool = loadedTool(name, `Version ${version}.`);
          return isGrouped
            ? { type: 'namespace', name: 'crm', description: 'Customers.', tools: [tool] }
            : tool;
        }),
        { minLength: 1, maxLength: 2 },
      ),
      { nil: undefined },
    ),
  })
  .filter((options) => Object.values(options).some((value) => value !== undefined))
  .map((options): JSONObject => options);

/** Conversations for OpenAI Responses; no two updates stand side by side. */
export const openaiStateful: fc.Arbitrary<StatefulConversation> = fc
  .record({
    instructions: fc.boolean(),
    opening: fc.option(openaiControl, { nil: undefined }),
    turns: fc.array(
      fc.record({
        before: fc.option(openaiControl, { nil: undefined }),
        after: fc.option(openaiControl, { nil: undefined }),
        steps: fc.array(fc.option(someName, { nil: undefined }), { maxLength: 2 }),
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
  effort: fc.option(fc.constantFrom(...efforts), { nil: undefined }),
  changes: fc.array(fc.tuple(fc.nat({ max: 4 }), fc.boolean()), { maxLength: 2 }),
  reminder: fc.boolean(),
});

/** Conversations for Anthropic models that take system messages in mid conversation. */
export const anthropicStateful: fc.Arbitrary<StatefulConversation> = fc
  .record({
    instructions: fc.boolean(),
    turns: fc.array(
      fc.record({
        before: fc.option(fc.constantFrom(...efforts), { nil: undefined }),
        after: fc.option(anthropicControl, { nil: undefined }),
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
