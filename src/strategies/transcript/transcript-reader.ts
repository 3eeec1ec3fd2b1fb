import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import type { ResolvedPrompts } from '../../prompts/summarization-prompts.ts';
import { textDoor, withheldText, type TextDoor } from '../../cleaning/text-door.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import { buildTranscript, wholeParts, type TranscriptPart } from './build-transcript.ts';
import { readableForSummary } from '../models/readable-tokens.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { condenseParts, type Condenser } from './condense-parts.ts';
import { isFull, resolveMessageFilter, type MessageFilter } from './message-filter.ts';
import type { MessageToCondense } from './message-to-condense.ts';
import { modelCondenser } from './model-condenser.ts';
import { textCache } from './text-cache.ts';

/** Condensed messages kept by one strategy: some 4,000 of the usual length, a few megabytes. */
const cacheCharacters = 2_000_000;

/** How a strategy reads messages. */
export interface TranscriptReaderOptions {
  readonly prompts: ResolvedPrompts;
  readonly messageFilter?: MessageFilter | undefined;
  readonly condense?: ((message: MessageToCondense) => string) | undefined;
}

/** Turns an input's messages into what a summarising model reads of them. */
export type TranscriptReader = (
  input: SummaryInput,
  panel: ModelPanel,
  slices: TimeSlices,
) => Promise<readonly TranscriptPart[]>;

/**
 * Makes a reader that condenses or leaves out what the filter says, and keeps what models condensed.
 *
 * @throws SummarizationOptionError for a wrong filter.
 */
export function transcriptReader(options: TranscriptReaderOptions): TranscriptReader {
  const { prompts, condense } = options;
  const filter = resolveMessageFilter(options.messageFilter);
  const cache = textCache(cacheCharacters);
  return async (input, panel, slices) => {
    const { messages, namespace = '', redact, log } = input;
    const clean = textDoor(redact);
    const readable = (model: ModelIdentity): number => readableForSummary(input, model);
    if (isFull(filter)) return buildTranscript(messages, slices, redact);
    return condenseParts(await wholeParts(messages, slices, redact), {
      filter,
      maxSummaryChars: prompts.maxSummaryChars,
      condense:
        condense === undefined
          ? modelCondenser({ panel, prompts, cache, namespace, clean, readable })
          : codeCondenser(condense, clean),
      log,
    });
  };
}

/** A condenser that calls no model. */
function codeCondenser(
  condense: (message: MessageToCondense) => string,
  clean: TextDoor,
): Condenser {
  return async (messages) =>
    messages.map((message) => {
      try {
        const text = clean(condense(message));
        return text === withheldText ? undefined : text;
      } catch {
        // A message that cannot be condensed is cut.
        return undefined;
      }
    });
}
