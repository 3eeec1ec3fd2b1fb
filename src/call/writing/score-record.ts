import { contentText } from '../../foundations/record/content-items.ts';
import type { SummaryContent } from '../../foundations/record/summary-record.ts';
import { readText } from '../../summaries/grounding/values.ts';
import type { TranscriptPart } from '../../summaries/messages/read-messages.ts';
import { textPieces } from '../../sizes/tokens/text-counter.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';

/** Most messages with a rare value: it was said once, and perhaps confirmed. */
const mostRare = 2;

/** Characters of a text that are read: a record does not quote the rest of a longer one. */
const mostCharacters = 100_000;

/**
 * Calculates the share, 0 to 1, of facts that a record holds: of names and figures in one message or two, and of
 * constraints of the previous record. Outputs of tools do not count: a listing would outweigh all that was said.
 * Returns 1 if there is nothing to hold.
 *
 * @param said - Texts of the user and the assistant in the messages.
 */
export async function scoreOf(
  content: SummaryContent,
  said: readonly TranscriptPart[],
  previous: SummaryContent | undefined,
): Promise<number> {
  const text = contentText(content);
  const held = new Set(readText(text, true).values.flatMap(({ keys }) => keys));
  const messages = new Map<string, { readonly isHeld: boolean; readonly by: Set<number> }>();
  const read = async (given: string, index: number): Promise<void> => {
    for (const piece of textPieces(given.slice(0, mostCharacters))) {
      for (const { keys } of readText(piece).values) {
        const [key = ''] = keys;
        const value = messages.get(key) ?? {
          isHeld: keys.some((each) => held.has(each)),
          by: new Set(),
        };
        messages.set(key, value);
        value.by.add(index);
      }
      await yieldToEventLoop();
    }
  };
  for (const part of said) await read(part.text, part.index);
  if (previous !== undefined) await read(contentText(previous), -1);
  const rare = [...messages.values()].filter(({ by }) => by.size <= mostRare);
  const constraints = previous?.context.constraints ?? [];
  const kept = [
    ...rare.map(({ isHeld }) => isHeld),
    ...constraints.map((constraint) => text.includes(constraint)),
  ];
  return kept.length === 0 ? 1 : kept.filter(Boolean).length / kept.length;
}
