import { SummarizationError } from '../errors/summarization-error.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { fillTemplate } from '../prompts/fill-template.ts';
import type { SummaryPrompts } from '../prompts/summarization-prompts.ts';
import type { SummaryContent } from '../record/summary-record.ts';
import type { ModelPanel, SummaryRequest } from './ask-models.ts';
import { renderTranscript, type TranscriptPart } from './build-transcript.ts';
import { contentText } from './content-text.ts';
import { escapeJson } from './escape-json.ts';
import { fitContent } from './fit-content.ts';
import { renderPrior } from './item-ids.ts';
import { mergeContent } from './merge-content.ts';
import { readableTokens } from './readable-tokens.ts';
import { splitTranscript } from './split-transcript.ts';
import { stripInvisible } from './strip-invisible.ts';
import type { SummaryInput } from './summary-strategy.ts';

/** Share of the summary's budget that the narrative is asked to keep to. */
const narrativeShare = 0.4;

/** Characters below which no narrative can be asked for. */
const leastNarrativeCharacters = 200;

/** Characters from which the script of a text is judged. */
const sampleCharacters = 4000;

/** Characters that the omitted middle of a text counts for one token. */
const omittedCharactersPerToken = 4;

/** What {@link foldTranscript} works with. */
export interface FoldOptions {
  readonly input: SummaryInput;
  /** The input's messages as the model reads them. */
  readonly parts: readonly TranscriptPart[];
  readonly prompts: SummaryPrompts;
  readonly panel: ModelPanel;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
}

interface FoldStep {
  readonly prior: SummaryContent | undefined;
  readonly readsNarrative: boolean;
  readonly parts: readonly TranscriptPart[];
}

interface FoldRequest extends SummaryRequest {
  readonly piece: readonly TranscriptPart[];
  readonly rest: readonly TranscriptPart[];
}

/**
 * Summarises the messages of an input, in as many pieces as the asked model needs to read all of them:
 * the first piece continues the previous record, each further piece the content so far.
 *
 * @throws SummarizationError; the reason of an abort.
 */
export async function foldTranscript({
  input,
  parts,
  prompts,
  panel,
  count,
}: FoldOptions): Promise<SummaryContent> {
  let step: FoldStep = {
    prior: input.previous,
    readsNarrative: input.usePreviousNarrative,
    parts,
  };
  if (step.parts.length === 0) return unchanged(input.previous);
  for (;;) {
    const { prior } = step;
    // One after another: each piece continues the one before
    const { answer, request } = await panel.ask((model) =>
      prepare(input, prompts, step, model, count),
    );
    const newText = request.piece.map(({ text }) => text).join('\n');
    const merged = mergeContent({ previous: prior, answer, newText });
    const source = sourceTokens(prior, request.piece, count);
    // The answer too: repetitions that merging removes show a model that has lost its way.
    if (Math.max(count(contentText(merged)), count(contentText(answer))) >= source)
      throw notSmaller();
    if (request.rest.length === 0) return merged;
    step = {
      prior: fitContent(merged, input.maxSummaryTokens, jsonTokens(count), newText),
      readsNarrative: true,
      parts: request.rest,
    };
  }
}

function prepare(
  input: SummaryInput,
  prompts: SummaryPrompts,
  { prior, readsNarrative, parts }: FoldStep,
  model: ModelIdentity,
  count: (text: string) => number,
): FoldRequest {
  const clean = (text: string): string => (input.redact ?? String)(stripInvisible(text));
  const priorSummary = prior === undefined ? '' : renderPrior(prior, readsNarrative, clean);
  const continued = readsNarrative ? prompts.update : prompts.rebase;
  const template = prior === undefined ? prompts.first : continued;
  const around = count(prompts.system) + count(template) + count(priorSummary);
  const readable = input.maxTranscriptTokens ?? readableTokens(model);
  // A prior summary that fills the model must not leave the messages unread.
  const room = Math.max(readable - around, Math.floor(readable / 4));
  const { piece, rest } = splitTranscript(parts, room, count);
  const content = renderTranscript(piece);
  const maxCharacters = narrativeCharacters(input.maxSummaryTokens, content + priorSummary, count);
  return {
    kind: prior === undefined ? 'first' : 'update',
    instructions: prompts.system,
    prompt: fillTemplate(template, {
      content,
      context: escapeJson({ messages: input.messages.length }),
      prior_summary: priorSummary,
      max_chars: String(maxCharacters),
    }),
    piece,
    rest,
  };
}

/** The narrative's share of the budget in characters of this text's script, at most half its source. */
function narrativeCharacters(
  maxSummaryTokens: number,
  source: string,
  count: (text: string) => number,
): number {
  // A sample shows the script as well as the whole, which may be megabytes.
  const sample = source.slice(0, sampleCharacters);
  const charactersPerToken = sample.length / Math.max(count(sample), 1);
  const share = Math.floor(maxSummaryTokens * narrativeShare * charactersPerToken);
  return Math.max(leastNarrativeCharacters, Math.min(share, Math.floor(source.length / 2)));
}

/** Tokens of what an answer replaces, what the transcript leaves out of it included. */
function sourceTokens(
  prior: SummaryContent | undefined,
  piece: readonly TranscriptPart[],
  count: (text: string) => number,
): number {
  const omitted = piece.reduce((sum, part) => sum + (part.omittedCharacters ?? 0), 0);
  const texts = [prior === undefined ? '' : contentText(prior), ...piece.map(({ text }) => text)];
  return count(texts.join('\n')) + Math.floor(omitted / omittedCharactersPerToken);
}

function jsonTokens(count: (text: string) => number): (content: SummaryContent) => number {
  return (content) => count(JSON.stringify(content));
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
