import type { Claim } from './fake-summariser.ts';
import type { Fact } from './fact.ts';
import type { ShownItem, ShownRecord } from './run-world.ts';

/**
 * Where a claim ended: `kept` in its list without a mark, or what it renders in its place; `marked`;
 * `demoted` to another list without a mark; `absent` from the whole record.
 */
export type Place = 'kept' | 'marked' | 'demoted' | 'absent';

/** How many claims ended where. */
export type Tally = Readonly<Record<Place, number>>;

export function tally(found: readonly Place[]): Tally {
  const count = (place: Place): number => found.filter((one) => one === place).length;
  return {
    kept: count('kept'),
    marked: count('marked'),
    demoted: count('demoted'),
    absent: count('absent'),
  };
}

/** Where a claim stands in a record. */
export function placeOf(record: ShownRecord, { field, text, fact }: Claim, isTrue: boolean): Place {
  const renderings = isTrue && fact !== undefined ? [text, fact.said] : [text];
  const own = record[field] ?? [];
  const elsewhere = Object.entries(record).flatMap(([name, items]) =>
    name === field ? [] : items,
  );
  const found = (items: readonly ShownItem[]): readonly ShownItem[] =>
    items.filter(({ text: shown }) =>
      // A wrong claim may be a piece of what was truly said.
      renderings.some((rendering) =>
        isTrue || field === 'summary' ? holds(shown, rendering) : plain(shown) === plain(rendering),
      ),
    );
  const here = found(own);
  if (here.some(({ isMarked }) => !isMarked)) return 'kept';
  if (here.length > 0) return 'marked';
  const there = found(elsewhere);
  if (there.some(({ isMarked }) => !isMarked)) return 'demoted';
  return there.length > 0 ? 'marked' : 'absent';
}

/** Whether a record holds what a fact says, in whatever words of its own. */
export function says(record: ShownRecord, { said, told }: Fact): boolean {
  const items = Object.values(record).flat();
  return items.some(({ text }) => holds(text, said) || holds(text, told));
}

/** Whether a text says another, punctuation and case apart. */
function holds(item: string, text: string): boolean {
  return plain(item).includes(plain(text));
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
