import { withNotice } from '../composing/with-notice.ts';
import type { Prompt } from '../prompt/prompt-types.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import { openingMessages } from '../selection/legal-cuts.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import type { CallContext } from './call-context.ts';

/** Conversations that open alike of which is remembered where the model was told. */
const maxAlike = 8;

/** A prompt as it would be sent, and what it is of. */
export interface AnnouncedCall {
  readonly prompt: Prompt;
  readonly view: ConversationView;
  /** The record that stands in it: another one ends what was announced. */
  readonly recordId: string | undefined;
  readonly slices: TimeSlices;
}

/**
 * Puts the notice where it was put in an earlier call, so that prompts begin alike between it and the summary.
 * Known to this process only: another one tells the model again, at the end of its first prompt.
 *
 * @returns `undefined` where nothing was announced.
 */
export async function announcedBefore(
  context: Pick<CallContext, 'options' | 'memory' | 'modelKey'>,
  call: AnnouncedCall,
): Promise<Prompt | undefined> {
  const { announcements } = context.memory;
  if (context.options.announce !== true || announcements.size() === 0) return undefined;
  const { identity, conversation } = call.view;
  const most = identity.significantBefore(conversation.length);
  for (const { count, digest } of announcements.get(await keyOf(context, call)) ?? []) {
    if (count > most || (await identity.prefixDigest(count)) !== digest) continue;
    const end = identity.indexAfter(count);
    return end === undefined ? undefined : told(call, end - 1);
  }
  return undefined;
}

/** Tells the model in the last message of a prompt, and remembers where. The same prompt where that takes no text. */
export async function announceNow(
  context: Pick<CallContext, 'memory' | 'modelKey'>,
  call: AnnouncedCall,
): Promise<Prompt> {
  const { identity, conversation } = call.view;
  const count = identity.significantBefore(conversation.length);
  if (identity.indexAfter(count) !== conversation.length) return call.prompt;
  const prompt = await told(call, conversation.length - 1);
  if (prompt === undefined) return call.prompt;
  const key = await keyOf(context, call);
  const place = { count, digest: await identity.prefixDigest(count) };
  const { announcements } = context.memory;
  announcements.set(key, [place, ...(announcements.get(key) ?? [])].slice(0, maxAlike));
  return prompt;
}

/** Recent messages are the end of a prompt, whatever stands in front of them. */
async function told(
  { prompt, view: { conversation }, slices }: AnnouncedCall,
  index: number,
): Promise<Prompt | undefined> {
  const at = prompt.length - conversation.length + index;
  return prompt[at]?.role === conversation[index]?.role
    ? withNotice(prompt, at, slices)
    : undefined;
}

async function keyOf(
  { modelKey }: Pick<CallContext, 'modelKey'>,
  { view, recordId }: AnnouncedCall,
): Promise<string> {
  return `${modelKey} ${recordId ?? (await view.identity.prefixDigest(openingMessages))}`;
}
