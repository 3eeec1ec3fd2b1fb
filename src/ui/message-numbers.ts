import type { UIMessage } from 'ai';

/** Messages of a page, by the numbers that the middleware gives messages: what it is told of one answer may be many. */
export interface MessageNumbers {
  /** Id of the `UIMessage` of each message of the conversation: what `coveredMessages` counts. */
  readonly ids: readonly string[];
  /** The same without messages of nothing but reasoning: what the origins of a record's items count. */
  readonly originIds: readonly string[];
}

type Part = UIMessage['parts'][number];
type ToolPart = Extract<Part, { readonly toolCallId: string }>;

/**
 * Numbers the messages of a page as `convertToModelMessages(messages, { ignoreIncompleteToolCalls: true })` and the
 * middleware do, at once and without loading the SDK: leading system messages do not count, each step of an answer
 * is a message, and so are the results of its tools.
 */
export function numberMessages(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts'>[],
): MessageNumbers {
  const ids: string[] = [];
  const originIds: string[] = [];
  const number = (id: string, hasContent: boolean): void => {
    ids.push(id);
    if (hasContent) originIds.push(id);
  };
  const start = messages.findIndex(({ role }) => role !== 'system');
  for (const { id, role, parts } of start === -1 ? [] : messages.slice(start)) {
    if (role !== 'assistant') number(id, role === 'system' || parts.some(isContent));
    else
      for (const step of stepsOf(parts)) {
        if (!step.every(isData)) number(id, step.some(isContent));
        if (step.some(isAnsweredHere)) number(id, true);
      }
  }
  return { ids, originIds };
}

/** The steps of an answer: what stands between marks of their beginnings, or is said in between. */
function stepsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else if (part.type === 'steering-message') steps.push([part], []);
    else if (isSent(part)) steps.at(-1)?.push(part);
  }
  return steps.filter(({ length }) => length > 0);
}

const sentTypes = new Set<string>(['text', 'file', 'reasoning', 'reasoning-file', 'custom']);

const finishedStates = new Set<string>([
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
]);

/** Whether a part of an answer goes to a model. An incomplete call of a tool does not. */
function isSent(part: Part): boolean {
  if (!isTool(part)) return sentTypes.has(part.type) || isData(part);
  const isPreliminary = part.state === 'output-available' && part.preliminary === true;
  return finishedStates.has(part.state) && !isPreliminary;
}

/** Whether a part is a call of a tool whose result is a message of its own. */
function isAnsweredHere(part: Part): boolean {
  return isTool(part) && (part.providerExecuted !== true || part.approval?.approved !== undefined);
}

function isContent(part: Part): boolean {
  if (part.type === 'text') return part.text !== '';
  return part.type === 'file' || part.type === 'steering-message' || isTool(part);
}

function isData({ type }: Part): boolean {
  return type.startsWith('data-');
}

function isTool(part: Part): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}
