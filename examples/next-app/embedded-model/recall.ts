const wordsToIgnore = new Set(
  'about and any are but can did does for from had has have how let must our say shall tell that the then they this was were what when where which who whom whose why will with you your'.split(
    ' ',
  ),
);

/**
 * Finds the statement that shares most words with a question, and more than half of the question's. The
 * latest wins among equals, because it may correct an earlier one.
 */
export function recall(question: string, statements: readonly string[]): string | undefined {
  const asked = stems(question);
  let best: { readonly statement: string; readonly score: number } | undefined;
  for (const statement of statements) {
    const said = stems(statement);
    const score = [...asked].filter((stem) => said.has(stem)).length;
    if (score * 2 > asked.size && score >= (best?.score ?? 0)) {
      best = { statement, score };
    }
  }
  return best?.statement;
}

/** The words of a text, cut so that most inflections of a word agree. */
function stems(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !wordsToIgnore.has(word)).map((word) => word.slice(0, 5)));
}
