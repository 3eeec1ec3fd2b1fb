const wordsToIgnore = new Set([
  'does',
  'have',
  'what',
  'which',
  'with',
  'your',
  'when',
  'that',
  'this',
]);

/**
 * Looks a question up in statements. A statement answers when it holds everything the question quotes
 * in backticks; among those the one that shares most other words wins, the earliest first.
 */
export function findAnswer(question: string, statements: readonly string[]): string | undefined {
  const quoted = Array.from(question.matchAll(/`([^`]+)`/g), ([, term = '']) => whole(term));
  const words = (
    question
      .replaceAll(/`[^`]*`/g, '')
      .toLowerCase()
      .match(/[a-z]{4,}/g) ?? []
  ).filter((word) => !wordsToIgnore.has(word));
  let best: { readonly statement: string; readonly score: number } | undefined;
  for (const statement of statements) {
    const lower = statement.toLowerCase();
    const score = words.filter((word) => lower.includes(word)).length;
    const holdsAll = quoted.every((term) => term.test(statement));
    const enough = quoted.length > 0 || (score > 1 && score * 2 >= words.length);
    if (holdsAll && enough && score > (best?.score ?? -1)) best = { statement, score };
  }
  return best?.statement;
}

/** Matches a term that is not part of a longer name. */
function whole(term: string): RegExp {
  const literal = term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w/.@-])${literal}(?![\w/-])`);
}
