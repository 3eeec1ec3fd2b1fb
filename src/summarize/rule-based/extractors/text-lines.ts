/** Lines of a text, counted without splitting it; a last empty line does not count. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let lines = 1;
  for (
    let at = text.indexOf('\n');
    at >= 0 && at < text.length - 1;
    at = text.indexOf('\n', at + 1)
  )
    lines += 1;
  return lines;
}

/** Longer lines are data. */
const maxLineCharacters = 300;

/** Gives lines one after the other, the too long ones cut, until `visit` says so with `false`. */
export function eachLine(text: string, visit: (line: string) => boolean): void {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (!visit(text.slice(start, Math.min(end, start + maxLineCharacters)))) return;
    start = end + 1;
  }
}

/** The first line that says something, cut to 300 characters. */
export function firstLine(text: string): string | undefined {
  let first: string | undefined;
  eachLine(text, (line) => {
    if (line.trim() !== '') first = line.trim();
    return first === undefined;
  });
  return first;
}
