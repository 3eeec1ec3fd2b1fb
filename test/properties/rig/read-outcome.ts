import type { UserMessage } from '../../support/prompt-types.ts';
import type { SummaryRecord, Placement, Message } from '../../../src/index.ts';
import type { Outcome } from './run-call.ts';

/** A message of the prompt that was sent, with the index it has in the conversation that was given. */
export interface SentMessage {
  readonly index: number;
  readonly message: Message;
  /** Whether its texts may have been shortened, as the `recovered` event says. */
  readonly shortened: boolean;
  /** Whether the summary was folded into it; `message` is then without the summary. */
  readonly folded: boolean;
}

/** A prompt that was sent, taken apart and matched with the one that was given. */
export interface Reading {
  /** Leading system messages as given. */
  readonly systems: readonly Message[];
  /** Leading system messages as sent, a summary merged into the last one taken out again. */
  readonly sentSystems: readonly Message[];
  /** Everything given after the leading system messages. */
  readonly conversation: readonly Message[];
  /** The rendered summary; `undefined` when none was sent. */
  readonly summary: string | undefined;
  /** The message that carries nothing but the summary, if one does. */
  readonly summaryMessage: Message | undefined;
  /** Messages covered by the record; 0 without one. */
  readonly cut: number;
  /** Covered messages that were sent all the same. */
  readonly kept: readonly SentMessage[];
  readonly tail: readonly SentMessage[];
  /** The record, if it was written in this call. */
  readonly record: SummaryRecord | undefined;
}

/** Splits a prompt into its leading system messages and the rest. */
export function split(prompt: readonly Message[]): [systems: Message[], conversation: Message[]] {
  const end = prompt.findIndex(({ role }) => role !== 'system');
  return end === -1 ? [[...prompt], []] : [prompt.slice(0, end), prompt.slice(end)];
}

/**
 * Takes the prompt that was sent apart by what the events say and the order in which the design puts it
 * together. For conversations with a user message. Throws when it is not made that way.
 */
export function readOutcome(
  { given, sent, events }: Outcome,
  provider: string,
  placement: Placement | 'auto' = 'auto',
): Reading {
  if (sent === undefined) throw new Error('Nothing was sent.');
  const [systems, conversation] = split(given.prompt);
  const applied = events.findLast((event) => event.type === 'applied');
  const recovered = events.findLast((event) => event.type === 'recovered');
  const ended = events.findLast((event) => event.type === 'end');
  const cut = applied?.coveredMessages ?? 0;
  const shortened = new Set(recovered?.shortenedMessages);
  const sentSystems = sent.prompt.slice(0, systems.length);
  const rest = sent.prompt.slice(systems.length);
  let summary: string | undefined;
  let summaryMessage: Message | undefined;
  let foldedAt = -1;

  if (applied !== undefined) {
    const style = styleOf(placement, provider, given);
    if (style === 'user') {
      foldedAt = rest.findIndex(({ role }) => role === 'user');
      summary = unfold(rest[foldedAt]).summary;
    } else if (style === 'system-merged' && systems.length > 0) {
      const last = sentSystems.at(-1);
      const original = systems.at(-1);
      const [text, originalText] = [contentOf(last), contentOf(original)];
      if (last === undefined || original === undefined || !text.startsWith(`${originalText}\n\n`))
        throw new Error('The last system message does not begin as it was given.');
      summary = text.slice(originalText.length + 2);
      sentSystems[sentSystems.length - 1] =
        JSON.stringify({ ...last, content: '' }) === JSON.stringify({ ...original, content: '' })
          ? original
          : last;
    } else {
      summaryMessage = rest.shift();
      summary = contentOf(summaryMessage);
    }
  }
  const shift = sent.prompt.length - rest.length;
  const read = rest.map((message, position) => {
    const folded = position === foldedAt;
    return {
      message: folded ? unfold(message).message : message,
      shortened: shortened.has(position + shift),
      folded,
    };
  });
  const tailStart = read.length - (conversation.length - cut);
  let next = 0;
  let nextSystem = 0;
  const kept = read.slice(0, tailStart).map((entry) => {
    const isSystem = entry.message.role === 'system';
    // The texts of earlier system messages go to the head, in their order.
    const from = isSystem ? nextSystem : next;
    const index = conversation
      .slice(0, cut)
      .findIndex((m, i) => i >= from && sameMessage(m, entry));
    if (index === -1) throw new Error(`A kept message was not given: ${JSON.stringify(entry)}`);
    if (isSystem) nextSystem = index + 1;
    else next = index + 1;
    return { ...entry, index };
  });
  const tail = read.slice(tailStart).map((entry, offset) => ({ ...entry, index: cut + offset }));
  return {
    systems,
    sentSystems,
    conversation,
    summary,
    summaryMessage,
    cut,
    kept,
    tail,
    record: ended?.record.id === applied?.recordId ? ended?.record : undefined,
  };
}

/** Where the summary belongs, of the providers that are played. */
function styleOf(
  placement: Placement | 'auto',
  provider: string,
  { providerOptions }: Outcome['given'],
): Placement {
  if (placement !== 'auto') return placement;
  if (providerOptions?.['openai']?.['systemMessageMode'] === 'remove') return 'user';
  return /^(?:openai|anthropic)\./.test(provider) ? 'system' : 'system-merged';
}

/** Whether a sent message is the given one: the same object, unless it says that it was changed. */
export function sameMessage(
  given: Message,
  sent: Pick<SentMessage, 'message' | 'shortened' | 'folded'>,
): boolean {
  if (sent.shortened) return shapeOf(given) === shapeOf(sent.message);
  return sent.folded
    ? typeof given.content !== 'string' &&
        typeof sent.message.content !== 'string' &&
        given.content.length === sent.message.content.length &&
        given.content.every((part, index) => part === sent.message.content[index])
    : given === sent.message || hasOtherFiles(given, sent.message);
}

/** Whether two messages of tools differ in the form of files alone: bytes, base64, or a note in their place. */
function hasOtherFiles(given: Message, sent: Message): boolean {
  const note = /^\[A (?:picture|file) \(/;
  const alike = (message: Message): string =>
    JSON.stringify(message, (_name, value: unknown) => {
      const { type, text } = Object(value);
      return type === 'file' || note.test(String(text)) ? 'a file' : value;
    });
  return given.role === 'tool' && alike(given) === alike(sent);
}

/** A message without the texts that may be shortened. */
function shapeOf(message: Message): string {
  if (message.role === 'tool')
    return JSON.stringify(
      message.content.map((part) =>
        part.type === 'tool-result' ? { ...part, output: part.output.type } : part,
      ),
    );
  if (message.role !== 'user') return JSON.stringify(message);
  return JSON.stringify(
    message.content.map((part) => (part.type === 'text' ? { ...part, text: '' } : part)),
  );
}

function contentOf(message: Message | undefined): string {
  if (message === undefined) return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function unfold(message: Message | undefined): { summary: string; message: UserMessage } {
  if (message?.role !== 'user') throw new Error('There is no user message to hold the summary.');
  const [first, ...content] = message.content;
  if (first?.type !== 'text') throw new Error('The summary is not the first part.');
  return { summary: first.text, message: { ...message, content } };
}
