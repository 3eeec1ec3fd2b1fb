import {
  type Composition,
  type CompositionStyle,
  composePrompt,
} from '../../composing/compose-prompt.ts';
import type { OwnCall } from '../../options/call-options.ts';
import type { Policy } from '../../options/resolve-policy.ts';
import type { LastSummarization, StoredSummary } from '../../record/stored-summary.ts';
import { viewConversation, type ConversationView } from '../../selection/conversation-view.ts';
import type { WholeRecord } from '../../state/document.ts';
import type { ConversationStateOptions } from '../../state/known-conversation.ts';
import { ConversationState } from '../../state/conversation-state.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { CallContext } from './call-context.ts';

/** A conversation, and the summaries that are known of it. */
export interface StateReading {
  readonly state: ConversationState;
  readonly view: ConversationView;
  /** The stored record that applies, in its place. */
  readonly composition: Composition | undefined;
  /** The stored summary that applies. */
  readonly stored: WholeRecord | undefined;
  /** The summary that is prepared to be put in the place of it. */
  readonly prepared: WholeRecord | undefined;
  /** Messages that the summary stands for that is being written already. */
  readonly writing: number | undefined;
  /** How it stands where the newest summary was undone. */
  readonly held: LastSummarization | undefined;
  /** What growth counts from: a summary, or where a later one was undone. */
  readonly last: LastSummarization | undefined;
}

/** Of which call the state is read. */
interface StateQuestion {
  readonly own: OwnCall;
  readonly policy: Policy;
  readonly style: CompositionStyle;
  /** Whether the call is left alone, so that nothing is asked of the store. */
  readonly isLeftAlone: boolean;
  /** Whether a prepared summary is in its place. */
  readonly takePrepared: boolean;
}

/** Reads what is known of the conversation of a call. */
export async function readState(
  context: CallContext,
  { own, policy, style, isLeftAlone, takePrepared }: StateQuestion,
  slices: TimeSlices,
): Promise<StateReading> {
  const { options, model, emit } = context;
  const onPinError = (error: unknown): void =>
    emit({ type: 'failed', stage: 'pin', reason: 'pin threw or gave no boolean', error });
  const { pin, priority } = options;
  const viewed = { ...own, model, pin, priority, onPinError };
  const sent = viewConversation(viewed);
  const { minMessages } = policy;
  const state = stateOf(context, sent, { ...own.callOptions, minMessages });
  await slices.pause();
  const known = isLeftAlone ? undefined : await state.find();
  const found = (takePrepared ? await state.take() : undefined) ?? known;
  const identity = state.identity;
  const isWhole = identity === sent.identity;
  const view = isWhole ? sent : viewConversation(viewed, identity);
  const composition = found && (await applyStored(view, style, found, slices));
  await slices.pause();
  const stored = composition === undefined ? undefined : found;
  const reading = { state, view, composition, stored };
  if (isLeftAlone)
    return {
      ...reading,
      prepared: undefined,
      writing: undefined,
      held: undefined,
      last: stored?.lastSummarization,
    };
  const held = await state.held();
  const prepared = await state.findPrepared();
  const writing = (await state.findWriting())?.count;
  return { ...reading, prepared, writing, held, last: latestOf(stored?.lastSummarization, held) };
}

function stateOf(
  { store, copy, keyring, times, archive, emit, epochs }: CallContext,
  { conversation, identity }: ConversationView,
  options: Pick<ConversationStateOptions, 'conversationId' | 'minMessages'>,
): ConversationState {
  const onGap = (): void => emit({ type: 'history-gap' });
  return new ConversationState({
    store,
    copy,
    keyring,
    times,
    archive,
    identity,
    conversation,
    onGap,
    epochs,
    ...options,
  });
}

/** What growth counts from: a summary, or where a later one was undone. */
function latestOf(
  last: LastSummarization | undefined,
  held: LastSummarization | undefined,
): LastSummarization | undefined {
  if (held === undefined) return last;
  if (last !== undefined && last.messageCount >= held.messageCount) return last;
  return { ...held, depth: last?.depth ?? 0 };
}

/** Puts a stored record in place, unless the conversation as it is now cannot be cut there. */
async function applyStored(
  view: ConversationView,
  style: CompositionStyle,
  { record }: StoredSummary,
  slices: TimeSlices,
): Promise<Composition | undefined> {
  await view.read(slices);
  const cut = cutOf(view, record);
  return cut === undefined ? undefined : composePrompt(view, style, { record, cut }, slices);
}

/** Where the conversation as it is now is cut behind a record; `undefined` where it cannot be. */
export function cutOf(
  { identity, groups }: ConversationView,
  { coveredMessages }: Pick<StoredSummary['record'], 'coveredMessages'>,
): number | undefined {
  const cut = identity.indexAfter(coveredMessages);
  return cut === undefined || !groups.isBoundary(cut) ? undefined : cut;
}
