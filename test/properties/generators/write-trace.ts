import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Message } from '../../../src/index.ts';
import type { AssistantMessage, UserMessage } from '../../support/prompt-types.ts';
import { writeText, type TextPlan } from './texts.ts';
import type { CallPlan, StepPlan, Thinking, TracePlan, TurnPlan, UserPlan } from './trace-plan.ts';

/** A conversation and what of it belongs together. */
export interface Trace {
  readonly prompt: Message[];
  /** For each message the number of the group it belongs to; groups are whole in any legal prompt. */
  readonly groups: readonly number[];
}

/** Writes a planned conversation. Equal plans give equal messages. */
export function writeTrace(plan: TracePlan, idPrefix = 'call'): Trace {
  const writer = traceWriter(idPrefix);
  for (const text of plan.systems) writer.alone({ role: 'system', content: writeText(text) });
  for (const turn of plan.turns) writer.turn(turn);
  writer.end(plan.ending);
  return writer.trace();
}

const signature = { anthropic: { signature: 'EqQBCgIYAhIM1gbcDa9GJwZA' } };
const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
type File = Extract<UserMessage['content'][number], { type: 'file' }>;
/** A picture of one pixel. */
const picture: File & { readonly data: { readonly type: 'data' } } = {
  type: 'file',
  mediaType: 'image/png',
  data: { type: 'data', data },
};

type AssistantPart = AssistantMessage['content'][number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
type ResultPart = Extract<AssistantPart, { type: 'tool-result' }>;

/** An assistant message. */
function says(...content: AssistantPart[]): AssistantMessage {
  return { role: 'assistant', content };
}

/** Reasoning, with a signature as providers give it or without. */
function thoughts(kind: Thinking): AssistantPart[] {
  if (kind === 'none') return [];
  const thought: AssistantPart = { type: 'reasoning', text: 'First I look at the file.' };
  return [kind === 'signed' ? { ...thought, providerOptions: signature } : thought];
}

/** A tool call. */
function callPart({ tool, output }: CallPlan, toolCallId: string): CallPart {
  return {
    type: 'tool-call',
    toolCallId,
    toolName: tool,
    input: { path: `src/${output.seed}.ts` },
  };
}

/** A tool call that nobody answers. */
function openCall(toolCallId: string): CallPart {
  return { type: 'tool-call', toolCallId, toolName: 'read_file', input: { path: 'open.ts' } };
}

/** The result of a tool call. */
function resultPart({ tool, kind, output }: CallPlan, toolCallId: string): ResultPart {
  return { type: 'tool-result', toolCallId, toolName: tool, output: toolOutput(kind, output) };
}

function toolOutput(kind: CallPlan['kind'], plan: TextPlan): LanguageModelV4ToolResultOutput {
  const text = writeText(plan);
  switch (kind) {
    case 'text':
    case 'error-text':
      return { type: kind, value: text };
    case 'json':
    case 'error-json':
      // Parsed, so that the key is an own property as it is when a tool result comes over the wire.
      return {
        type: kind,
        value: JSON.parse(`{"lines":[],"__proto__":{"polluted":true}}`, (key, value: unknown) =>
          key === 'lines' ? [text, plan.seed] : value,
        ),
      };
    case 'content':
      return {
        type: 'content',
        value: [{ type: 'text', text }, picture],
      };
    case 'denied':
      return { type: 'execution-denied', reason: 'Not now.' };
  }
}

/** A user message. */
function userMessage({ text, file }: UserPlan): UserMessage {
  const content: UserMessage['content'] = [{ type: 'text', text: writeText(text) }];
  if (file === 'image') content.push(picture);
  if (file === 'document')
    content.unshift({
      type: 'file',
      mediaType: 'text/plain',
      filename: 'notes.txt',
      data: { type: 'text', text: writeText({ ...text, extra: '' }) },
    });
  if (file === 'link')
    content.push({
      type: 'file',
      mediaType: 'image/jpeg',
      data: { type: 'url', url: new URL('https://example.com/a.jpg') },
    });
  return { role: 'user', content };
}

type ToolPart = Extract<Message, { role: 'tool' }>['content'][number];

const said = (text: string): AssistantPart => ({ type: 'text', text });
const hosted = (call: Extract<AssistantPart, { type: 'tool-call' }>): AssistantPart => ({
  ...call,
  providerExecuted: true,
});
const answers = (...content: ToolPart[]): Message => ({ role: 'tool', content });
const approval = (id: string, approved: boolean): ToolPart => ({
  type: 'tool-approval-response',
  approvalId: `approve-${id}`,
  approved,
});

interface TraceWriter {
  readonly alone: (message: Message) => void;
  readonly turn: (turn: TurnPlan) => void;
  readonly end: (ending: TracePlan['ending']) => void;
  readonly trace: () => Trace;
}

function traceWriter(idPrefix: string): TraceWriter {
  const prompt: Message[] = [];
  const groups: number[] = [];
  let group = 0;
  let ids = 0;
  const nextId = (): string => `${idPrefix}${(ids += 1)}`;
  const together = (...messages: readonly Message[]): void => {
    group += 1;
    for (const message of messages) {
      prompt.push(message);
      groups.push(group);
    }
  };

  const step = (plan: StepPlan): void => {
    switch (plan.kind) {
      case 'answer':
        return together(says(...thoughts(plan.thinking), said(writeText(plan.text))));
      case 'calls': {
        const made = plan.calls.map((call) => ({ call, id: nextId() }));
        const words = plan.say ? [said('Let me look.')] : [];
        const calls = made.map(({ call, id }) => callPart(call, id));
        return together(
          says(...thoughts(plan.thinking), ...words, ...calls),
          answers(...made.map(({ call, id }) => resultPart(call, id))),
        );
      }
      case 'approval': {
        const id = nextId();
        const call = plan.approved ? plan.call : ({ ...plan.call, kind: 'denied' } as const);
        const response = approval(id, plan.approved);
        return together(says(callPart(plan.call, id)), answers(response, resultPart(call, id)));
      }
      case 'hosted': {
        const id = nextId();
        const [call, found] = [hosted(callPart(plan.call, id)), said('Found it.')];
        const result = resultPart(plan.call, id);
        return plan.approval
          ? together(says(call), answers(approval(id, true)), says(result, found))
          : together(says(call, result, found));
      }
      case 'hosted-late': {
        const id = nextId();
        const result = resultPart(plan.call, id);
        return together(says(hosted(callPart(plan.call, id))), says(result, said('There it is.')));
      }
      case 'code-calls': {
        const code = { toolCallId: nextId(), toolName: 'code_execution' };
        const made = plan.calls.map((call) => ({ call, id: nextId() }));
        const caller = { type: 'code_execution_20250825', toolId: code.toolCallId };
        const byCode = { providerOptions: { anthropic: { caller } } };
        const run = hosted({ type: 'tool-call', ...code, input: { code: 'run()' } });
        const output = { type: 'text', value: 'done' } as const;
        return together(
          says(run, ...made.map(({ call, id }) => ({ ...callPart(call, id), ...byCode }))),
          answers(...made.map(({ call, id }) => resultPart(call, id))),
          says({ type: 'tool-result', ...code, output }, said('The code ran.')),
        );
      }
      case 'thought-apart': {
        const id = nextId();
        const calls = says(callPart(plan.call, id));
        return together(says(...thoughts('signed')), calls, answers(resultPart(plan.call, id)));
      }
      case 'operator':
        return together({ role: 'system', content: writeText(plan.text) });
      case 'picture':
        return together(says(picture));
      case 'empty':
        return together(says(said('')));
    }
  };

  return {
    alone: together,
    turn: (turn) => {
      for (const user of turn.users) together(userMessage(user));
      turn.steps.forEach(step);
    },
    end: (ending) => {
      if (ending === 'user')
        together(userMessage({ text: { seed: 1, words: 4, extra: '' }, file: 'none' }));
      if (ending === 'prefill') together(says(said('The answer is')));
      if (ending === 'open-calls') together(says(openCall(nextId()), openCall(nextId())));
    },
    trace: () => ({ prompt, groups }),
  };
}
