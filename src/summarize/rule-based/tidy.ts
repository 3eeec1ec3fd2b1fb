/**
 * Puts an excerpt on one line, without the quotes, brackets and escapes that rendering would have to
 * escape for more tokens than they say.
 */
export function tidy(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/["\\<>[\]{}`\s]+/g, ' ')
    .trim();
}
