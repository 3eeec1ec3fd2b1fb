import type {
  SummarizationOptions,
  SummaryRecord,
  SummaryStore,
  Message,
} from '../../src/index.ts';
import { words } from './messages.ts';
import { assistant, user } from './prompt-messages.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import { setUp, type SetUp } from './set-up.ts';

export const secret = 'a secret of the operator';

/** A chat of so many messages, the user's first and last. */
export function talk(count: number): Message[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? user(`Question ${index}: ${words(index, 80)}?`)
      : assistant(`Answer ${index}: ${words(index, 80)}.`),
  );
}

/** A call and what it did. */
export interface SummarizedCall extends SetUp {
  /** The record that it made. */
  readonly record: SummaryRecord;
  /** Messages from the beginning of the conversation that the record stands for. */
  readonly covered: number;
}

/** Options of {@link summarize}. */
export interface SummarizeOptions extends SummarizationOptions {
  readonly conversationId?: string | undefined;
}

/** Sends a conversation in a call that asks for a summary. */
export async function summarize(
  store: SummaryStore,
  prompt: readonly Message[],
  { conversationId, ...options }: SummarizeOptions = {},
): Promise<SummarizedCall> {
  const made = setUp({
    contextLength: 100_000,
    preserveRecent: 2,
    preserveRecentTokenRatio: 0,
    strategy: knownStrategy(),
    store,
    secret,
    ...options,
  });
  await send(made, prompt, { conversationId, force: true });
  const end = made.events.find((event) => event.type === 'end');
  if (end === undefined) throw new Error(JSON.stringify(made.events, undefined, 1));
  return { ...made, record: end.record, covered: end.coveredMessages };
}

/** Sends a conversation through a wrapped model. */
export async function send(
  { model }: Pick<SetUp, 'model'>,
  prompt: readonly Message[],
  {
    conversationId,
    force,
  }: { readonly conversationId?: string | undefined; readonly force?: boolean } = {},
): Promise<void> {
  const summarization = {
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(force === undefined ? {} : { force }),
  };
  await model.doGenerate({ prompt: [...prompt], providerOptions: { summarization } });
}
