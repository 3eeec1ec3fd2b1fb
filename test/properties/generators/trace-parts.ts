import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { AssistantMessage, UserMessage } from '../../support/prompt-types.ts';
import { writeText, type TextPlan } from './texts.ts';
import type { CallPlan, Thinking, UserPlan } from './trace-plan.ts';

const signature = { anthropic: { signature: 'EqQBCgIYAhIM1gbcDa9GJwZA' } };
const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
type File = Extract<UserMessage['content'][number], { type: 'file' }>;
/** A picture of one pixel. */
export const picture: File & { readonly data: { readonly type: 'data' } } = {
  type: 'file',
  mediaType: 'image/png',
  data: { type: 'data', data },
};

type AssistantPart = AssistantMessage['content'][number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
type ResultPart = Extract<AssistantPart, { type: 'tool-result' }>;

/** An assistant message. */
export function says(...content: AssistantPart[]): AssistantMessage {
  return { role: 'assistant', content };
}

/** Reasoning, with a signature as providers give it or without. */
export function thoughts(kind: Thinking): AssistantPart[] {
  if (kind === 'none') return [];
  const thought: AssistantPart = { type: 'reasoning', text: 'First I look at the file.' };
  return [kind === 'signed' ? { ...thought, providerOptions: signature } : thought];
}

/** A tool call. */
export function callPart({ tool, output }: CallPlan, toolCallId: string): CallPart {
  return {
    type: 'tool-call',
    toolCallId,
    toolName: tool,
    input: { path: `src/${output.seed}.ts` },
  };
}

/** A tool call that nobody answers. */
export function openCall(toolCallId: string): CallPart {
  return { type: 'tool-call', toolCallId, toolName: 'read_file', input: { path: 'open.ts' } };
}

/** The result of a tool call. */
export function resultPart({ tool, kind, output }: CallPlan, toolCallId: string): ResultPart {
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
export function userMessage({ text, file }: UserPlan): UserMessage {
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
