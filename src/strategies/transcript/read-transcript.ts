import { textDoor } from '../../cleaning/text-door.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import type { ResolvedMessageFilter } from '../messages/message-filter.ts';
import { transcriptParts, type TranscriptPart } from '../messages/transcript-parts.ts';
import { readableForSummary } from '../models/readable-tokens.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { condenseParts } from './condense-parts.ts';
import { modelCondenser, type ModelCondenserOptions } from './model-condenser.ts';

/** How {@link readTranscript} reads. */
export interface ReadTranscriptOptions extends Pick<
  ModelCondenserOptions,
  'panel' | 'prompts' | 'cache'
> {
  readonly filter: ResolvedMessageFilter;
  readonly slices: TimeSlices;
}

/**
 * Turns an input's messages into what a summarising model reads of them; condenses or leaves out what the
 * filter says.
 *
 * @throws The reason of an abort.
 */
export async function readTranscript(
  input: SummaryInput,
  { panel, prompts, cache, filter, slices }: ReadTranscriptOptions,
): Promise<readonly TranscriptPart[]> {
  const { messages, namespace = '', redact, log } = input;
  const clean = textDoor(redact);
  const condense = modelCondenser({
    panel,
    prompts,
    cache,
    namespace,
    clean,
    readable: (model) => readableForSummary(input, model),
  });
  const { maxSummaryChars } = prompts;
  const parts = await transcriptParts(messages, slices, redact);
  return condenseParts(parts, { filter, maxSummaryChars, condense, log });
}
