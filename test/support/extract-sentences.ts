/**
 * Condenses by extraction: sentences with something that looks like an identifier first, then others,
 * each spread over the texts, in their order, within the asked length.
 */
export function extractSentences(texts: readonly string[], maxCharacters: number): string {
  const sentences = texts.flatMap((text) => text.match(/[^.!?\n]+[.!?]?/g) ?? []);
  const indexes = [...sentences.keys()];
  const named = indexes.filter((index) => /\b[A-Z]+-\d+[A-Z]*\b/.test(sentences[index] ?? ''));
  const chosen = new Set<number>();
  let length = 0;
  for (const index of [...spread(named), ...spread(indexes)]) {
    const size = (sentences[index] ?? '').trim().length + 1;
    if (chosen.has(index) || length + size > maxCharacters) continue;
    chosen.add(index);
    length += size;
  }
  const kept = sentences.filter((_, index) => chosen.has(index));
  return kept.map((sentence) => sentence.trim()).join(' ') || 'Nothing.';
}

/** The first and the last item, then the others in an order whose every beginning is spread evenly. */
function spread(items: readonly number[]): readonly number[] {
  const place = (position: number): number =>
    position === 0 || position === items.length - 1 ? -1 : (position * 0.618_033_988_75) % 1;
  return items
    .map((item, position) => ({ item, place: place(position) }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
