import type { UIMessage } from 'ai';

/** Messages of a page, by the numbers that the middleware gives messages: what it is told of one answer may be many. */
export interface MessageNumbers {
  /** Id of the `UIMessage` of each message of the conversation: what `coveredMessages` counts. */
  readonly ids: readonly string[];
  /** The same without messages of nothing but reasoning: what the origins of a record's items count. */
  readonly originIds: readonly string[];
}

type Part = UIMessage['parts'][number];

/**
 * Numbers the messages of a page as `convertToModelMessages(messages, { ignoreIncompleteToolCalls: true })` and the
 * middleware do, at once and without loading the SDK: leading system messages do not count, each step of an answer
 * is a message, and so are the results of its tools.
 */
export function numberMessages(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts'>[],
): MessageNumbers {
  const start = messages.findIndex(({ role }) => role !== 'system');
  const numbered = messages
    .slice(start === -1 ? messages.length : start)
    .flatMap(({ id, role, parts }) =>
      role === 'assistant'
        ? stepsOf(parts).flatMap((step) => kindsOfStep(step).map((kind) => ({ id, kind })))
        : { id, kind: role === 'system' || hasContent(parts) ? 'content' : 'blank' },
    );
  return {
    ids: numbered.map(({ id }) => id),
    originIds: numbered.flatMap(({ id, kind }) => (kind === 'content' ? id : [])),
  };
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

function kindsOfStep(step: readonly Part[]): readonly ('content' | 'blank')[] {
  const tools = step.filter(isTool);
  const first = step.every(({ type }) => type.startsWith('data-')) ? [] : [kindOf(step)];
  const hasResults = tools.some(
    ({ providerExecuted, approval }) =>
      providerExecuted !== true || approval?.approved !== undefined,
  );
  return hasResults ? [...first, 'content'] : first;
}

function kindOf(parts: readonly Part[]): 'content' | 'blank' {
  return hasContent(parts) ? 'content' : 'blank';
}

function hasContent(parts: readonly Part[]): boolean {
  return parts.some((part) =>
    part.type === 'text'
      ? part.text !== ''
      : part.type === 'file' || part.type === 'steering-message' || isTool(part),
  );
}

/** Whether a part of an answer goes to a model. An incomplete call of a tool does not. */
function isSent(part: Part): boolean {
  if (isTool(part)) return finishedStates.has(part.state) && !isPreliminary(part);
  return sentTypes.has(part.type) || part.type.startsWith('data-');
}

const sentTypes = new Set<string>(['text', 'file', 'reasoning', 'reasoning-file', 'custom']);

const finishedStates = new Set<string>([
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
]);

type ToolPart = Extract<Part, { readonly toolCallId: string }>;

function isTool(part: Part): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

function isPreliminary(part: ToolPart): boolean {
  return part.state === 'output-available' && part.preliminary === true;
}
