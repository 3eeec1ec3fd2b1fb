import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { AssistantModelMessage, ModelMessage, ToolResultPart, UserModelMessage } from 'ai';
import type { AssistantPart, Dialect } from './dialect.ts';

type ToolOutput = ToolResultPart['output'];

/** A picture of one pixel. */
export const pixel: string =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const verbs = ['reads', 'splits', 'checks', 'merges', 'copies', 'drops', 'counts', 'sorts'];
const nouns = ['token', 'line', 'buffer', 'header', 'record', 'branch', 'module', 'fixture'];

/** Prose of `sentences` sentences of about twenty tokens, different for every topic. */
export function passage(topic: string, sentences = 14): string {
  return Array.from({ length: sentences }, (_, index) => {
    const verb = verbs[index % verbs.length] ?? '';
    const noun = nouns[(index * 3) % nouns.length] ?? '';
    return `In ${topic}, part ${index + 1} ${verb} the ${noun} before the next pass looks at it again.`;
  }).join(' ');
}

/** A system message. */
export function system(content: string, providerOptions?: SharedV4ProviderOptions): ModelMessage {
  return { role: 'system', content, ...(providerOptions === undefined ? {} : { providerOptions }) };
}

/** A user message with one long text. */
export function user(topic: string): UserModelMessage {
  return { role: 'user', content: [{ type: 'text', text: `Look at ${topic}. ${passage(topic)}` }] };
}

/** How an assistant message reasons. */
export type Reasoning = 'signed' | 'hidden' | 'foreign';

/** What another provider's model produced carries none of this provider's metadata. */
function speaker(dialect: Dialect, kind: Reasoning | undefined): Dialect {
  return kind === 'foreign' ? { callId: dialect.callId } : dialect;
}

function reasoningParts(
  dialect: Dialect,
  step: number,
  kind: Reasoning | undefined,
): AssistantPart[] {
  if (kind === undefined) return [];
  if (kind === 'foreign') {
    const providerOptions = { elsewhere: { signature: 'foreign' } };
    return [
      { type: 'reasoning', text: `A thought of another model in step ${step}.`, providerOptions },
    ];
  }
  if (kind === 'hidden') {
    return [{ type: 'reasoning', text: '', ...options(dialect.hiddenReasoning) }];
  }
  const thought = `In step ${step} the next thing to do is to look closer.`;
  return [
    { type: 'reasoning', text: thought, ...options(dialect.reasoningOptions?.(step, thought)) },
  ];
}

function options(providerOptions: SharedV4ProviderOptions | undefined): {
  providerOptions?: SharedV4ProviderOptions;
} {
  return providerOptions === undefined ? {} : { providerOptions };
}

function textPart(dialect: Dialect, step: number, content: string): AssistantPart {
  return { type: 'text', text: content, ...options(dialect.textOptions?.(step)) };
}

/** An assistant message that answers in words. */
export function answer(
  dialect: Dialect,
  step: number,
  extra: { readonly reasoning?: Reasoning; readonly before?: readonly AssistantPart[] } = {},
): AssistantModelMessage {
  return {
    role: 'assistant',
    content: [
      ...reasoningParts(dialect, step, extra.reasoning),
      ...(extra.before ?? []),
      textPart(
        speaker(dialect, extra.reasoning),
        step,
        `Done with step ${step}. ${passage(`answer ${step}`, 8)}`,
      ),
    ],
  };
}

/** What one step of a tool loop looks like. */
export interface StepOptions {
  /** Parallel calls. @default 1 */
  readonly calls?: number;
  /** Whether the assistant says something before it calls. @default false */
  readonly text?: boolean;
  readonly reasoning?: Reasoning;
  /** Output of the call at `index`. @default a long text */
  readonly output?: (index: number) => ToolOutput;
  /** Parts in front of the calls. */
  readonly before?: readonly AssistantPart[];
}

const toolNames = ['read_file', 'search_files', 'execute_bash'];

/** One step of a tool loop: the assistant calls, the tools answer. */
export function toolStep(dialect: Dialect, step: number, shape: StepOptions = {}): ModelMessage[] {
  const calls = Array.from({ length: shape.calls ?? 1 }, (_, index) => {
    const name = toolNames[index % toolNames.length] ?? '';
    const input: JSONObject = { path: `src/module-${step}.ts`, index };
    return { index, name, input, toolCallId: dialect.callId(step, index) };
  });
  const model = speaker(dialect, shape.reasoning);
  const output = shape.output ?? ((index: number): ToolOutput => longText(step, index));
  return [
    {
      role: 'assistant',
      content: [
        ...reasoningParts(dialect, step, shape.reasoning),
        ...(shape.before ?? []),
        ...(shape.text === true ? [textPart(model, step, `Step ${step}: looking.`)] : []),
        ...calls.map(({ index, name, input, toolCallId }): AssistantPart => ({
          type: 'tool-call',
          toolCallId,
          toolName: name,
          input,
          ...options(model.callOptions?.({ step, index, name, input })),
        })),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ index, name, toolCallId }) => ({
        type: 'tool-result',
        toolCallId,
        toolName: name,
        output: output(index),
      })),
    },
  ];
}

function longText(step: number, index: number): ToolOutput {
  return { type: 'text', value: passage(`module ${step}, result ${index}`) };
}

/** A run of tool steps, numbered from `first`. */
export function toolLoop(
  dialect: Dialect,
  first: number,
  steps: number,
  shape: StepOptions = {},
): ModelMessage[] {
  return Array.from({ length: steps }, (_, index) =>
    toolStep(dialect, first + index, shape),
  ).flat();
}
