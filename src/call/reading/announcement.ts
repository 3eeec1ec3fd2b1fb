import { withNotice } from '../../composing/with-notice.ts';
import type { Prompt } from '../../prompt/prompt-types.ts';
import type { ConversationView } from '../../selection/conversation-view.ts';
import { openingMessages } from '../../selection/legal-cuts.ts';
import { conversationKeys } from '../../state/conversation-keys.ts';
import type { AnnouncedPlace, ToldPlace } from '../../state/document.ts';
import { changeDocument, readDocument } from '../../state/stored-document.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
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
 *
 * @returns `undefined` where nothing was announced that this process knows of.
 */
export async function announcedBefore(
  context: Pick<CallContext, 'options' | 'memory' | 'modelKey'>,
  call: AnnouncedCall,
): Promise<Prompt | undefined> {
  const { announcements } = context.memory;
  if (context.options.announce !== true || announcements.size() === 0) return undefined;
  const place = await placeIn(call, announcements.get(await keyOf(context, call)) ?? []);
  return place && toldAt(call, place);
}

/**
 * Tells the model, and remembers where: in the last message of a prompt, unless another process has told it in
 * an earlier one. The same prompt where that takes no text.
 */
export async function announceNow(
  context: Pick<CallContext, 'memory' | 'modelKey' | 'model' | 'store' | 'learned' | 'times'>,
  call: AnnouncedCall & { readonly conversationId: string | undefined },
): Promise<Prompt> {
  const { identity, conversation } = call.view;
  const count = identity.significantBefore(conversation.length);
  if (identity.indexAfter(count) !== conversation.length) return call.prompt;
  const prompt = await told(call, conversation.length - 1);
  if (prompt === undefined) return call.prompt;
  const key = await keyOf(context, call);
  const last = { count, digest: await identity.prefixDigest(count) };
  const first = context.store.isLocal ? undefined : await firstToTell(context, call, last);
  const { announcements } = context.memory;
  announcements.set(key, [first ?? last, ...(announcements.get(key) ?? [])].slice(0, maxAlike));
  return (first && (await toldAt(call, first))) ?? prompt;
}

/** Where another process has told it; `undefined`: this one is the first, and the others are told so. */
async function firstToTell(
  { model, learned, times }: Pick<CallContext, 'model' | 'learned' | 'times'>,
  call: Parameters<typeof announceNow>[1],
  last: AnnouncedPlace,
): Promise<AnnouncedPlace | undefined> {
  const names = conversationKeys(call.view.identity, call.conversationId);
  const key = (await names.all(learned.keys)).at(-1) ?? '';
  const of = JSON.stringify([model.provider, model.modelId, call.recordId]);
  const isOfThis = (place: ToldPlace): boolean => place.of === of;
  const read = await readDocument(learned, key);
  const before = (read.document?.told ?? []).filter(isOfThis);
  const known = await placeIn(call, before);
  if (known !== undefined) return known;
  const { document } = await changeDocument(
    { store: learned, key, retentionMs: times.retentionMs },
    (stored) =>
      stored.told.filter(isOfThis).length > before.length
        ? stored
        : { ...stored, told: [{ of, ...last }, ...stored.told] },
    read,
  );
  const places = (document?.told ?? []).filter(isOfThis);
  return places.some(({ digest }) => digest === last.digest) ? undefined : placeIn(call, places);
}

/** The place that lies in this conversation, if one does. */
async function placeIn(
  { view: { identity, conversation } }: AnnouncedCall,
  places: readonly AnnouncedPlace[],
): Promise<AnnouncedPlace | undefined> {
  const most = identity.significantBefore(conversation.length);
  for (const place of places)
    if (place.count <= most && (await identity.prefixDigest(place.count)) === place.digest)
      return place;
  return undefined;
}

async function toldAt(call: AnnouncedCall, { count }: AnnouncedPlace): Promise<Prompt | undefined> {
  const end = call.view.identity.indexAfter(count);
  return end === undefined ? undefined : told(call, end - 1);
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
