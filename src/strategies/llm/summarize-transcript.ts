import { SummarizationError } from '../../errors/summarization-error.ts';
import type { BoundedMap } from '../../util/bounded-map.ts';
import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { countText } from '../../tokens/text/count-text.ts';
import type { TextCounter } from '../../tokens/text/load-text-counter.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import { fillTemplate } from '../../prompts/fill-template.ts';
import type { SummaryPrompts } from '../../prompts/summarization-prompts.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { textDoor } from '../../cleaning/text-door.ts';
import type { ModelPanel, SummaryRequest } from '../models/ask-models.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import { renderTranscript } from '../transcript/render-transcript.ts';
import { charactersPerToken } from '../levels/target-tokens.ts';
import { contentText } from '../../record/content-text.ts';
import { escapeJson } from '../../json/escape-json.ts';
import { renderPrior } from '../../record/item-ids.ts';
import type { SummaryCache } from '../levels/summary-cache.ts';
import type { HierarchicalSummary } from '../../record/summary-result.ts';
import { nameOfModel } from '../models/resolve-model.ts';
import { mergeContent } from './merge-content.ts';
import { readableAfter, readableForSummary } from '../models/readable-tokens.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { transcriptTree, type TranscriptTree } from './transcript-tree.ts';

/** Share of the summary's budget that the narrative is asked to keep to. */
const narrativeShare = 0.4;

/** Characters below which no narrative can be asked for. */
const leastNarrativeCharacters = 200;

/** Characters that the omitted middle of a text counts for one token. */
const omittedCharactersPerToken = 4;

/** What {@link summarizeTranscript} works with. */
export interface SummarizeTranscriptOptions {
  readonly input: SummaryInput;
  /** The input's messages as the model reads them. */
  readonly parts: readonly TranscriptPart[];
  readonly prompts: SummaryPrompts;
  readonly panel: ModelPanel;
  /** Keeps the summaries of chunks. */
  readonly cache: SummaryCache;
  /** Names the models that may be asked. */
  readonly models: string;
  /** Tokens that models read which have refused more, by `provider:model`. */
  readonly learned: BoundedMap<number>;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  /** Lets the tokenizer remember pieces while work goes on. */
  readonly hold: TextCounter['hold'];
  readonly slices: TimeSlices;
}

/** What came of a transcript. */
export interface TranscriptSummary {
  readonly content: SummaryContent;
  /** Present when the transcript could not be read at once. */
  readonly hierarchical?: HierarchicalSummary | undefined;
}

/**
 * Summarises the messages of an input with one call, which reads them or, where the asked model cannot
 * read so many at once, or refuses to, the summaries of their chunks.
 *
 * @throws SummarizationError; the reason of an abort.
 */
export async function summarizeTranscript(
  options: SummarizeTranscriptOptions,
): Promise<TranscriptSummary> {
  const { input, parts, panel, learned, count, slices } = options;
  const sizeOf = (text: string): Promise<number> => countText(text, count, slices);
  const { previous, maxSummaryTokens } = input;
  if (parts.length === 0) return { content: unchanged(previous) };
  let tree: TranscriptTree | undefined;
  const whole = renderTranscript(parts);
  const contentFor = async (reading: Reading): Promise<string> => {
    const { readable, room: finalRoom, priorSummary: prior } = reading;
    if ((await countText(whole, count, slices, finalRoom)) <= finalRoom) return whole;
    // The next model goes on with what the one before it has written.
    if (tree === undefined || (await sizeOf(tree.content)) > finalRoom) {
      const { onProgress } = input;
      const clean = textDoor(input.redact);
      tree = await transcriptTree({ ...options, clean, readable, finalRoom, prior, onProgress });
    }
    return tree.content;
  };
  const tokensOf = async ({ instructions, prompt }: SummaryRequest): Promise<number> =>
    (await sizeOf(instructions)) + (await sizeOf(prompt));
  let sent: SummaryRequest | undefined;
  const { answer } = await panel.ask(async (model, overflow) => {
    const refusedTokens = overflow && sent ? await tokensOf(sent) : 0;
    if (overflow !== undefined) {
      learned.set(nameOfModel(model), readableAfter(overflow, refusedTokens, maxSummaryTokens));
    }
    const reading = await readingOf(options, model);
    const request = requestFor(options, reading, await contentFor(reading));
    if (overflow !== undefined && (await tokensOf(request)) >= refusedTokens) return undefined;
    sent = request;
    return request;
  });
  const newTexts = parts.map(({ text }) => text);
  const content = await mergeContent({ previous, answer, newTexts, slices });
  // The answer too: repetitions that merging removes show a model that has lost its way.
  const written = Math.max(await sizeOf(contentText(content)), await sizeOf(contentText(answer)));
  const source = await sourceTokens(previous, parts, (text) =>
    countText(text, count, slices, written),
  );
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

/** How a model is asked, and how much it can read. */
interface Reading {
  readonly template: string;
  readonly priorSummary: string;
  /** Tokens one call may read. */
  readonly readable: number;
  /** Tokens of them for the messages. */
  readonly room: number;
}

async function readingOf(
  { input, prompts, learned, count, slices }: SummarizeTranscriptOptions,
  model: ModelIdentity,
): Promise<Reading> {
  const { previous, usePreviousNarrative } = input;
  const clean = textDoor(input.redact);
  const priorSummary =
    previous === undefined ? '' : renderPrior(previous, usePreviousNarrative, clean);
  const continued = usePreviousNarrative ? prompts.update : prompts.rebase;
  const template = previous === undefined ? prompts.first : continued;
  const fixed = [prompts.system, template, priorSummary];
  let around = 0;
  for (const text of fixed) around += await countText(text, count, slices);
  const most = learned.get(nameOfModel(model)) ?? Number.POSITIVE_INFINITY;
  const readable = Math.min(readableForSummary(input, model), most);
  // A prior summary that fills the model must not leave the messages unread.
  const room = Math.max(readable - around, Math.floor(readable / 4));
  return { template, priorSummary, readable, room };
}

function requestFor(
  { input, prompts, count }: SummarizeTranscriptOptions,
  { template, priorSummary }: Reading,
  content: string,
): SummaryRequest {
  const maxCharacters = narrativeCharacters(input.maxSummaryTokens, content + priorSummary, count);
  return {
    kind: input.previous === undefined ? 'first' : 'update',
    instructions: prompts.system,
    prompt: fillTemplate(template, {
      content,
      context: escapeJson({ messages: input.messages.length }),
      prior_summary: priorSummary,
      max_chars: String(maxCharacters),
    }),
  };
}

/** The narrative's share of the budget in characters of this text's script, at most half its source. */
function narrativeCharacters(
  maxSummaryTokens: number,
  source: string,
  count: (text: string) => number,
): number {
  const characters = maxSummaryTokens * charactersPerToken(source, count);
  const share = Math.floor(characters * narrativeShare);
  return Math.max(leastNarrativeCharacters, Math.min(share, Math.floor(source.length / 2)));
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
  const { summary, keyPoints, context } = previous;
  return { summary, keyPoints, context };
}

function notSmaller(): SummarizationError {
  return new SummarizationError({
    reason: 'not-smaller',
    message: 'The summary is not smaller than the messages it would replace.',
  });
}
