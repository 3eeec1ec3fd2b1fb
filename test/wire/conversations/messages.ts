import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { AssistantModelMessage, ModelMessage, ToolResultPart, UserModelMessage } from 'ai';
import type { AssistantPart, Dialect } from './dialects.ts';

export type ToolOutput = ToolResultPart['output'];

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
  return { role: 'system', content, ...options(providerOptions) };
}

/** A user message with one long text, or with several parts. */
export function user(topic: string, ...more: readonly object[]): UserModelMessage {
  const text = { type: 'text' as const, text: `Look at ${topic}. ${passage(topic)}` };
  return { role: 'user', content: Object.assign([text], [text, ...more]) };
}

/** How an assistant message reasons. */
export type Reasoning = 'signed' | 'hidden' | 'foreign';

/** What stands before the text or the calls of an assistant message. */
interface Before {
  readonly reasoning?: Reasoning;
  readonly before?: readonly AssistantPart[];
}

function options(given: SharedV4ProviderOptions | undefined): {
  providerOptions?: SharedV4ProviderOptions;
} {
  return given === undefined ? {} : { providerOptions: given };
}

function partsBefore(
  dialect: Dialect,
  step: number,
  { reasoning, before = [] }: Before,
): AssistantPart[] {
  const thought = `In step ${step} the next thing to do is to look closer.`;
  const kinds = {
    signed: { text: thought, ...options(dialect.reasoningOptions?.(step, thought)) },
    hidden: { text: '', ...options(dialect.hiddenReasoning) },
    foreign: {
      text: `A thought of another model in step ${step}.`,
      providerOptions: { elsewhere: { signature: 'foreign' } },
    },
  };
  return reasoning === undefined
    ? [...before]
    : [{ type: 'reasoning', ...kinds[reasoning] }, ...before];
}

/** What another provider's model produced carries none of this provider's metadata. */
function speaker(dialect: Dialect, { reasoning }: Before): Dialect {
  return reasoning === 'foreign' ? { callId: dialect.callId } : dialect;
}

function textPart(dialect: Dialect, step: number, text: string): AssistantPart {
  return { type: 'text', text, ...options(dialect.textOptions?.(step)) };
}

/** An assistant message that answers in words. */
export function answer(dialect: Dialect, step: number, extra: Before = {}): AssistantModelMessage {
  const text = `Done with step ${step}. ${passage(`answer ${step}`, 8)}`;
  return {
    role: 'assistant',
    content: [...partsBefore(dialect, step, extra), textPart(speaker(dialect, extra), step, text)],
  };
}

/** What one step of a tool loop looks like. */
export interface StepOptions extends Before {
  /** Parallel calls. @default 1 */
  readonly calls?: number;
  /** Whether the assistant says something before it calls. @default false */
  readonly text?: boolean;
  /** Output of the call at `index`. @default a long text */
  readonly output?: (index: number) => ToolOutput;
}

const toolNames = ['read_file', 'search_files', 'execute_bash'];

/** One step of a tool loop: the assistant calls, the tools answer. */
export function toolStep(dialect: Dialect, step: number, shape: StepOptions = {}): ModelMessage[] {
  const longText = (index: number): ToolOutput => ({
    type: 'text',
    value: passage(`module ${step}, result ${index}`),
  });
  const { calls: count = 1, text = false, output = longText } = shape;
  const model = speaker(dialect, shape);
  const calls = Array.from({ length: count }, (_, index) => ({
    toolName: toolNames[index % toolNames.length] ?? '',
    input: { path: `src/module-${step}.ts`, index } satisfies JSONObject,
    toolCallId: dialect.callId(step, index),
  }));
  return [
    {
      role: 'assistant',
      content: [
        ...partsBefore(dialect, step, shape),
        ...(text ? [textPart(model, step, `Step ${step}: looking.`)] : []),
        ...calls.map((call, index): AssistantPart => {
          const { toolName: name, input } = call;
          return {
            type: 'tool-call',
            ...call,
            ...options(model.callOptions?.({ step, index, name, input })),
          };
        }),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ toolName, toolCallId }, index) => ({
        type: 'tool-result',
        toolCallId,
        toolName,
        output: output(index),
      })),
    },
  ];
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
