// What joins an excerpt to what stands before and behind it, and says nothing without that.
const openers = '|,;:) ';
const closers = '|,;( ';

/**
 * Puts an excerpt on one line, without the quotes, brackets and escapes that rendering would have to
 * escape for more tokens than they say, and without the marks that joined it to what was left out.
 */
export function tidy(text: string): string {
  const line = text.toWellFormed().replaceAll(/["\\<>[\]{}`\s]+/g, ' ');
  let start = 0;
  let end = line.length;
  while (start < end && openers.includes(line.charAt(start))) start += 1;
  while (start < end && closers.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}
