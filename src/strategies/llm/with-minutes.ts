import { contentText } from '../../record/content-text.ts';
import { contentOf, itemsOf, withItems } from '../../record/content-items.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { countText, type TextReading } from '../../tokens/text/count-text.ts';
import { tokenMultiplierOf } from '../../tokens/token-multiplier-of.ts';
import { sourceTexts } from '../rule-based/texts/source-texts.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { sourceMatcher } from './checks/grounding-sources.ts';
import { maxAskedTokens } from './summary-request.ts';

/** Tokens below which minutes say nothing. */
const leastTokens = 300;

/** Share of what is summarised that is repeated: a summary has to be smaller. */
const sourceShare = 0.25;
const charactersPerToken = 4;

/**
 * Fills what a budget holds beyond what a model is asked for with what is literal: minutes of the messages, their
 * files and identifiers, as the rule-based strategy takes them. Minutes of earlier messages stand before them.
 */
export async function withMinutes(
  content: SummaryContent,
  input: SummaryInput,
  reading: TextReading,
): Promise<SummaryContent> {
  const { previous } = input;
  const earlier = previous?.minutes;
  const kept = earlier === undefined ? content : { ...content, minutes: earlier };
  if (input.maxSummaryTokens <= maxAskedTokens) return kept;
  const room = await roomBeside(content, input, reading);
  if (room < leastTokens) return kept;
  const { extractContent } = await import('../rule-based/extract-content.ts');
  const literal = await extractContent(
    {
      ...input,
      maxSummaryTokens: Math.floor(room),
      // Its items are in the content: here it only says how many messages came before.
      previous: previous && {
        ...previous,
        changedFiles: [],
        ...contentOf({ summary: '' }, itemsOf(emptyContent(''))),
      },
    },
    { extractors: {}, preserveErrorDetails: true, minUserTurns: 0 },
    reading,
  );
  const isSaid = await sourceMatcher([contentText(content)], reading.slices);
  const names = itemsOf(literal).domainEntities.filter(({ item }) => !isSaid(item));
  const minutes = [earlier, literal.summary].filter(Boolean).join('\n');
  return {
    ...withItems(content, ({ domainEntities }) => ({
      domainEntities: [...domainEntities, ...names],
    })),
    minutes,
  };
}

/** Tokens that a budget leaves beside what a model wrote, or was asked for. */
async function roomBeside(
  content: SummaryContent,
  { messages, maxSummaryTokens, redact, model, tokenMultiplier }: SummaryInput,
  { count, slices }: TextReading,
): Promise<number> {
  const multiplier = tokenMultiplier ?? tokenMultiplierOf(model);
  const written = multiplier * (await countText(contentText(content), count, slices));
  const sources = await sourceTexts(messages, slices, redact);
  const characters = sources.reduce((sum, { text }) => sum + text.length, 0);
  return Math.min(
    maxSummaryTokens - Math.max(written, maxAskedTokens),
    sourceShare * multiplier * (characters / charactersPerToken),
  );
}
