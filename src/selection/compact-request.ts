import type { Message } from '../prompt/prompt-types.ts';
import { isObject } from '../util/is-object.ts';
import { messagesAtOnce, type TimeSlices } from '../util/async/time-slices.ts';
import type { ConversationView } from './conversation-view.ts';
import { legalCuts } from './legal-cuts.ts';

/** An agent's wish for a summary, as its call of a tool and the result of that show it. */
export interface CompactRequest {
  /** Index in the conversation at which the recent messages are to begin. */
  readonly boundary: number;
  /** What the agent wants the summary to look to. */
  readonly instructions?: string | undefined;
}

type CallPart = Extract<
  Extract<Message, { role: 'assistant' }>['content'][number],
  { type: 'tool-call' }
>;

/** User messages after which a wish lapses: a summary that cannot be made is not tried for ever. */
const mostUserMessages = 1;

/**
 * Finds the newest call of a tool that asks for a summary, behind the record that applies. A summary up to the
 * last legal cut before the call answers it: looked for among all cuts, so that it is the same one in every
 * step, process and retry.
 *
 * @param names - Names of the tools that ask for a summary, as the application offers them in this call.
 * @param start - Index of the first message that no record stands for.
 */
export async function compactRequest(
  view: ConversationView,
  names: ReadonlySet<string>,
  start: number,
  slices: TimeSlices,
): Promise<CompactRequest | undefined> {
  if (names.size === 0) return undefined;
  const found = await newestCall(view.conversation, names, start, slices);
  if (found === undefined) return undefined;
  await view.read(slices);
  const first = view.groups.startOf(found.index);
  if (first <= start) return undefined;
  const boundary = (await legalCuts(view, 0, slices)).findLast((cut) => cut <= first);
  if (boundary === undefined || boundary <= start) return undefined;
  const { input } = found.call;
  const instructions = isObject(input) ? input['instructions'] : undefined;
  return typeof instructions === 'string' && instructions.trim() !== ''
    ? { boundary, instructions }
    : { boundary };
}

async function newestCall(
  conversation: readonly Message[],
  names: ReadonlySet<string>,
  start: number,
  slices: TimeSlices,
): Promise<{ readonly index: number; readonly call: CallPart } | undefined> {
  const carriedOut = new Set<string>();
  let users = 0;
  for (let index = conversation.length - 1; index >= start; index -= 1) {
    if (index % messagesAtOnce === 0) await slices.pause();
    const message = conversation[index];
    if (message?.role === 'user') users += 1;
    if (users > mostUserMessages) return undefined;
    if (message?.role === 'tool') for (const id of resultsOf(message)) carriedOut.add(id);
    if (message?.role !== 'assistant') continue;
    const call = message.content.findLast(
      (part): part is CallPart =>
        part.type === 'tool-call' && names.has(part.toolName) && carriedOut.has(part.toolCallId),
    );
    if (call !== undefined) return { index, call };
  }
  return undefined;
}

/** Ids of the calls that a message has results of; one that failed or was denied asks for nothing. */
function resultsOf({ content }: Extract<Message, { role: 'tool' }>): readonly string[] {
  return content.flatMap((part) =>
    part.type === 'tool-result' && (part.output.type === 'text' || part.output.type === 'json')
      ? [part.toolCallId]
      : [],
  );
}
