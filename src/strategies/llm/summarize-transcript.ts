import { SummarizationError } from '../../errors/summarization-error.ts';
import { buildRecord } from '../../record/build-record.ts';
import { contentText } from '../../record/content-text.ts';
import type { SummaryContent, SummaryRecord } from '../../record/summary-record.ts';
import { countText } from '../../tokens/text/count-text.ts';
import type { TextCounter } from '../../tokens/text/create-text-counter.ts';
import { messagePositions } from '../message-positions.ts';
import { messageTexts, type MessageText, type TranscriptPart } from '../messages/read-messages.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import type { SummaryRequest } from '../models/call-model.ts';
import { mostCalls, readableAfter } from '../models/readable-tokens.ts';
import type { ModelObject } from '../models/resolve-model.ts';
import { textsIn, type SummaryAnswer } from '../models/summary-answer.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import {
  renderTranscript,
  sizeParts,
  splitTranscript,
  tokensIn,
  type SizedPart,
} from '../transcript/read-transcript.ts';
import { mergeAnswer } from './merge-answer.ts';
import {
  learnedKey,
  priorShare,
  readingFor,
  requestFor,
  type RequestReading,
  type SummaryRequestOptions,
} from './summary-request.ts';

/** How much more than its even share a piece may hold, for the last one not to be longer than the others. */
const unevenness = 1.1;

/** Characters that the omitted middle of a text counts for one token. */
const omittedCharactersPerToken = 4;

/** What a transcript is summarised with. */
export interface TranscriptOptions extends SummaryRequestOptions {
  /** The input's messages as the model reads them. */
  readonly parts: readonly TranscriptPart[];
  readonly panel: ModelPanel;
  /** Calls of models for this summary so far, failed ones too. */
  readonly calls: () => number;
  /** Lets the tokenizer remember pieces while work goes on; no model is asked in it. */
  readonly hold: TextCounter['hold'];
}

/** How far the messages of a summary have been read. */
interface Progress {
  readonly previous: SummaryRecord | undefined;
  readonly rest: readonly SizedPart[];
}

/** What one call reads. */
interface Piece {
  /** Its messages, and the record of what stands before them. */
  readonly input: SummaryInput;
  readonly parts: readonly SizedPart[];
  readonly rest: readonly SizedPart[];
  /** Calls that it takes from here on, this one included. */
  readonly calls: number;
}

/**
 * Summarises the messages of an input: in one call where the model can read them at once, else in as few pieces as its
 * room allows, one after the other, each on top of the record of those before. Of more than eight calls can read, the
 * rules read what comes first.
 *
 * @throws SummarizationError; the reason of an abort.
 */
export async function summarizeTranscript(options: TranscriptOptions): Promise<SummaryContent> {
  const { input, parts, hold, count, slices } = options;
  if (parts.length === 0) return unchanged(input.previous);
  const sizeOf = (text: string): Promise<number> => countText(text, count, slices);
  const release = hold();
  let rest = await sizeParts(parts, sizeOf).finally(release);
  let { previous } = input;
  let answered = 0;
  for (let read = 1; ; read += 1) {
    const { answer, piece } = await askForPiece(options, { previous, rest });
    const content = await mergeAnswer(
      piece.input.previous,
      answer,
      [
        ...(await messageTexts(piece.input.messages, slices, input.redact)),
        ...toolNames(piece.input.messages),
      ],
      messagePositions(piece.input),
      slices,
    );
    const total = read - 1 + piece.calls;
    if (total > 1) input.onProgress?.({ layer: 1, completed: read, total });
    // Repetitions that merging removes show a model that has lost its way.
    answered = Math.max(answered, await sizeOf(textsIn(answer).join('\n')));
    ({ rest } = piece);
    const [next] = rest;
    if (next === undefined) {
      await checkSmaller(options, content, answered);
      return content;
    }
    previous = recordSoFar(content, next);
  }
}

/** Asks a model for the record of what it can read of the rest. */
async function askForPiece(
  options: TranscriptOptions,
  progress: Progress,
): Promise<{ readonly answer: SummaryAnswer; readonly piece: Piece }> {
  const { input, panel, learned, count, slices } = options;
  const sizeOf = async ({ instructions, prompt }: SummaryRequest): Promise<number> =>
    (await countText(instructions, count, slices)) + (await countText(prompt, count, slices));
  // Who is asked at the end of the conversation reads all of it.
  let piece = pieceOf(input, progress, progress.rest, []);
  let sent: SummaryRequest | undefined;
  let refusals = 0;
  const answer = await panel.ask(async (model, overflow, share) => {
    const refusedTokens = overflow && sent ? await sizeOf(sent) : 0;
    if (overflow === undefined) refusals = 0;
    else {
      learned.set(learnedKey(input, model), readableAfter(overflow, refusedTokens));
      refusals += 1;
      if (refusals > 1) return undefined;
    }
    const next = await nextPiece(options, progress, model);
    const text = renderTranscript(next.piece.parts.map(({ part }) => part));
    const request = requestFor({ ...options, input: next.piece.input }, next.reading, text, share);
    if (overflow !== undefined && (await sizeOf(request)) >= refusedTokens) return undefined;
    ({ piece } = next);
    sent = request;
    return request;
  });
  return { answer, piece };
}

/** Chooses what a model reads next: as much as it can, but no more than is left for the other calls. */
async function nextPiece(
  options: TranscriptOptions,
  progress: Progress,
  model: ModelObject,
): Promise<{ readonly piece: Piece; readonly reading: RequestReading }> {
  const { input, calls, count, slices } = options;
  const sizeOf = (text: string): Promise<number> => countText(text, count, slices);
  const readingOf = async (from: Progress): Promise<RequestReading> =>
    readingFor({ ...options, input: pieceOf(input, from, from.rest, []).input }, model);
  const left = Math.max(1, mostCallsOf(input) - calls());
  const { room } = await readingOf(progress);
  // Beside it stands the record of the rules, then.
  const most = tokensIn(progress.rest) > left * room ? left * room * (1 - priorShare) : Infinity;
  const from = await leaveToRules(options, progress, most);
  const reading = await readingOf(from);
  const size = tokensIn(from.rest);
  const needed = Math.min(left, Math.ceil(size / reading.room));
  const share = Math.min(reading.room, Math.ceil((size / needed) * unevenness));
  const { piece, rest } = await splitTranscript(from.rest, needed === 1 ? size : share, sizeOf);
  return { piece: { ...pieceOf(input, from, piece, rest), calls: needed }, reading };
}

function mostCallsOf({ maxCalls = mostCalls }: SummaryInput): number {
  return Math.min(maxCalls, mostCalls);
}

/** Lets the rules read what is more than so many tokens: what comes first. */
async function leaveToRules(
  { input, count, slices }: TranscriptOptions,
  progress: Progress,
  most: number,
): Promise<Progress> {
  const beyond = tokensIn(progress.rest) - most;
  if (beyond <= 0) return progress;
  const sizeOf = (text: string): Promise<number> => countText(text, count, slices);
  const { piece, rest } = await splitTranscript(progress.rest, beyond, sizeOf);
  const [next] = rest;
  if (next === undefined) return progress;
  const { writeByRules } = await import('../rule-based/write-by-rules.ts');
  const content = await writeByRules(
    pieceOf(input, progress, piece, rest).input,
    { extractors: {}, preserveErrorDetails: true, minUserTurns: 0 },
    { count, slices },
  );
  input.log?.(
    'the rules read what comes first: more is to be summarised than the calls it may take can read',
  );
  return { previous: recordSoFar(content, next), rest };
}

/** The messages of some parts, on top of what has been read before. */
function pieceOf(
  input: SummaryInput,
  { previous }: Progress,
  parts: readonly SizedPart[],
  rest: readonly SizedPart[],
): Piece {
  const { positionOf } = messagePositions(input);
  const isContinued = previous !== input.previous;
  const first = isContinued ? (parts[0]?.part.index ?? 0) : 0;
  const last = rest.length === 0 ? Infinity : (parts.at(-1)?.part.index ?? 0);
  const messages = input.messages.filter(
    (_, index) => positionOf(index) >= first && positionOf(index) <= last,
  );
  const usePreviousNarrative = isContinued || input.usePreviousNarrative;
  return {
    input: { ...input, messages, previous, usePreviousNarrative },
    parts,
    rest,
    calls: 1,
  };
}

/** The names of the tools that were called, which a narrative may tell of. */
function toolNames(messages: SummaryInput['messages']): readonly MessageText[] {
  return messages.flatMap(({ role, content }, index) =>
    role === 'assistant'
      ? content.flatMap((part) =>
          part.type === 'tool-call' ? [{ index, role: 'call' as const, text: part.toolName }] : [],
        )
      : [],
  );
}

/** What has been written, as a record of all messages before the next one. */
function recordSoFar(content: SummaryContent, { part }: SizedPart): SummaryRecord {
  const frame = { key: '', depth: 0, messageIds: [], prefixDigest: '', strategy: 'llm' };
  return buildRecord(
    { ...frame, coveredMessages: part.index, inputTokens: 0, degraded: false },
    content,
    0,
  );
}

/** Throws where a summary is no smaller than what it replaces; what the transcript leaves out is included. */
async function checkSmaller(
  { input: { previous }, parts, count, slices }: TranscriptOptions,
  content: SummaryContent,
  answered: number,
): Promise<void> {
  const sizeOf = (text: string, most?: number): Promise<number> =>
    countText(text, count, slices, most);
  const written = Math.max(answered, await sizeOf(contentText(content)));
  const omitted = parts.reduce((sum, part) => sum + (part.omittedCharacters ?? 0), 0);
  const texts = [
    previous === undefined ? '' : contentText(previous),
    ...parts.map(({ text }) => text),
  ];
  const source = await sizeOf(texts.join('\n'), written);
  if (written >= source + Math.floor(omitted / omittedCharactersPerToken)) throw notSmaller();
}

/** Messages without a text, such as reasoning alone, add nothing to a record. */
function unchanged(previous: SummaryContent | undefined): SummaryContent {
  if (previous === undefined) throw notSmaller();
  const { summary, keyPoints, context, origins } = previous;
  return { summary, keyPoints, context, origins };
}

function notSmaller(): SummarizationError {
  return new SummarizationError({
    reason: 'not-smaller',
    message: 'The summary is not smaller than the messages it would replace.',
  });
}
