import { countLines, eachLine } from './text-lines.ts';

/** Lines that are compared to tell a table, and columns that are named. */
const comparedLines = 4;
const maxColumns = 20;

const separators = ['\t', '|', ',', ';'];

/** Reads the head of a table: Markdown, CSV, or what databases print. `undefined` where a text is none. */
export function readTable(
  text: string,
): { readonly columns: readonly string[]; readonly rows: number } | undefined {
  const lines: string[] = [];
  let rules = 0;
  eachLine(text, (line) => {
    const isRule = /^[\s|+:=-]{3,}$/.test(line);
    if (isRule) rules += 1;
    else if (line.trim() !== '') lines.push(line);
    return lines.length < comparedLines;
  });
  const [head] = lines;
  if (head === undefined || lines.length < 3) return undefined;
  for (const separator of separators) {
    const columns = cellsOf(head, separator);
    // Sentences have a comma, too.
    const least = separator === ',' || separator === ';' ? 3 : 2;
    const isTable =
      columns.length >= least &&
      columns.every((column) => column !== '' && column.length <= 60) &&
      lines.every((line) => cellsOf(line, separator).length === columns.length);
    if (isTable)
      return { columns: columns.slice(0, maxColumns), rows: countLines(text) - 1 - rules };
  }
  return undefined;
}

function cellsOf(line: string, separator: string): readonly string[] {
  const cells = line.trim().split(separator);
  // Markdown begins and ends its lines with one.
  if (separator === '|' && cells[0] === '') cells.shift();
  if (separator === '|' && cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.trim());
}
