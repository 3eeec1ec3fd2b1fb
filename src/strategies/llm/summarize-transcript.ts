import { SummarizationError } from '../../errors/summarization-error.ts';
import { withItems } from '../../record/content-items.ts';
import { contentText } from '../../record/content-text.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { countText } from '../../tokens/text/count-text.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import type { SummaryRequest } from '../models/generate-summary-object.ts';
import { readableAfter } from '../models/readable-tokens.ts';
import { answerContent, type SummaryAnswer } from '../models/summary-answer.ts';
import { messagePositions } from '../messages/message-positions.ts';

import { renderTranscript } from '../transcript/render-transcript.ts';
import { askInScript } from './ask-in-script.ts';
import { mergeContent } from './merge-content.ts';
import { nothingOfUser, readUser } from './read-user.ts';
import { learnedKey, readingFor, requestFor, type RequestReading } from './summary-request.ts';
import { transcriptTree, type TranscriptOptions, type TranscriptTree } from './transcript-tree.ts';
import type { SummaryOutput } from '../summary-strategy.ts';

/** Characters that the omitted middle of a text counts for one token. */
const omittedCharactersPerToken = 4;

/**
 * Summarises the messages of an input with one call, which reads them or, where the asked model cannot
 * read so many at once, or refuses to, the summaries of their chunks.
 *
 * @throws SummarizationError; the reason of an abort.
 */
export async function summarizeTranscript(
  options: TranscriptOptions,
): Promise<Pick<SummaryOutput, 'content' | 'hierarchical'>> {
  const { input, parts, count, slices } = options;
  const { previous } = input;
  if (parts.length === 0) return { content: unchanged(previous) };
  const { answer, tree } = await askForAnswer(options);
  const positions = messagePositions(input);
  const { ofUser, demoted } = await readUser(input, answer, { positions, parts, slices });
  const content = mergeContent({ previous, answer, positions, ofUser, demoted });
  const ownWords = withItems(content, () => nothingOfUser);
  const sizeOf = (text: string, most?: number): Promise<number> =>
    countText(text, count, slices, most);
  // Without the user's words that code added: those are of the source. The answer too: repetitions that merging
  // removes show a model that has lost its way.
  const written = Math.max(
    await sizeOf(contentText(ownWords)),
    await sizeOf(contentText(answerContent(answer))),
  );
  const source = await sourceTokens(previous, parts, (text) => sizeOf(text, written));
  if (written >= source) throw notSmaller();
  if (tree === undefined) return { content };
  input.onProgress?.({ layer: 3, completed: 1, total: 1 });
  const { l1Summaries, l2Summaries, chunkSize, chunkOverlap } = tree;
  const l3Summary = content.summary;
  return {
    content,
    hierarchical: { l1Summaries, l2Summaries, l3Summary, chunkSize, chunkOverlap },
  };
}

/** Asks for the summary of the whole transcript, or of the summaries of its chunks, by model. */
async function askForAnswer(
  options: TranscriptOptions,
): Promise<{ readonly answer: SummaryAnswer; readonly tree: TranscriptTree | undefined }> {
  const { input, parts, panel, learned, count, slices } = options;
  const whole = renderTranscript(parts);
  let tree: TranscriptTree | undefined;
  const contentFor = async (reading: RequestReading): Promise<string> => {
    const { room } = reading;
    if ((await countText(whole, count, slices, room)) <= room) return whole;
    // The next model goes on with what the one before it has written.
    if (tree === undefined || (await countText(tree.content, count, slices)) > room)
      tree = await transcriptTree(options, reading);
    return tree.content;
  };
  const tokensOf = async ({ instructions, prompt }: SummaryRequest): Promise<number> =>
    (await countText(instructions, count, slices)) + (await countText(prompt, count, slices));
  let sent: SummaryRequest | undefined;
  const prepareWith =
    (note: string): Parameters<typeof panel.ask>[0] =>
    async (model, overflow) => {
      const refusedTokens = overflow && sent ? await tokensOf(sent) : 0;
      if (overflow !== undefined) {
        const readable = readableAfter(overflow, refusedTokens, input.maxSummaryTokens);
        learned.set(learnedKey(input, model), readable);
      }
      const reading = await readingFor(options, model);
      const request = requestFor(options, reading, await contentFor(reading), note);
      if (overflow !== undefined && (await tokensOf(request)) >= refusedTokens) return undefined;
      sent = request;
      return request;
    };
  const answer = await askInScript(async (note) => panel.ask(prepareWith(note)), input, parts);
  return { answer, tree };
}

/** Tokens of what an answer replaces, as `sizeOf` counts them; what the transcript leaves out is included. */
async function sourceTokens(
  prior: SummaryContent | undefined,
  piece: readonly TranscriptPart[],
  sizeOf: (text: string) => Promise<number>,
): Promise<number> {
  const omitted = piece.reduce((sum, part) => sum + (part.omittedCharacters ?? 0), 0);
  const texts = [prior === undefined ? '' : contentText(prior), ...piece.map(({ text }) => text)];
  return (await sizeOf(texts.join('\n'))) + Math.floor(omitted / omittedCharactersPerToken);
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
