import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import type { ResolvedPrompts } from '../../prompts/summarization-prompts.ts';
import { textDoor } from '../../cleaning/text-door.ts';
import { boundedMap } from '../../util/bounded-map.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import { transcriptParts, type TranscriptPart } from '../messages/transcript-parts.ts';
import { readableForSummary } from '../models/readable-tokens.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { condenseParts } from './condense-parts.ts';
import { resolveMessageFilter, type MessageFilter } from '../messages/message-filter.ts';
import { modelCondenser } from './model-condenser.ts';

/** Condensed messages kept by one strategy: some 4,000 of the usual length, a few megabytes. */
const cacheCharacters = 2_000_000;

/** How a strategy reads messages. */
export interface TranscriptReaderOptions {
  readonly prompts: ResolvedPrompts;
  readonly messageFilter?: MessageFilter | undefined;
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
  const { prompts } = options;
  const filter = resolveMessageFilter(options.messageFilter);
  const cache = boundedMap<string>(cacheCharacters, (key, text) => key.length + text.length);
  return async (input, panel, slices) => {
    const { messages, namespace = '', redact, log } = input;
    const clean = textDoor(redact);
    const readable = (model: ModelIdentity): number => readableForSummary(input, model);
    return condenseParts(await transcriptParts(messages, slices, redact), {
      filter,
      maxSummaryChars: prompts.maxSummaryChars,
      condense: modelCondenser({ panel, prompts, cache, namespace, clean, readable }),
      log,
    });
  };
}
