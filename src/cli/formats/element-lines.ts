/**
 * The lines, from 1, in which the elements of a list begin: of the list that a JSON text is, or of the first
 * member of it by one of these names.
 */
export function elementLines(json: string, names: readonly string[]): readonly number[] {
  const lines: number[] = [];
  const depthOfList = names.length === 0 ? 1 : 2;
  let line = 1;
  let depth = 0;
  let isInList = names.length === 0;
  let name = '';
  let isAwaited = false;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]|\n|[^\s"[\]{},:]+/g)) {
    if (token === '\n') {
      line += 1;
      continue;
    }
    const isEnd = token === ']' || token === '}';
    if (isAwaited && !isEnd && token !== ',') lines.push(line);
    isAwaited = false;
    if (isEnd) {
      depth -= 1;
      if (isInList && depth < depthOfList) break;
    } else if (token === '[' || token === '{') {
      depth += 1;
      if (token === '[' && depth === depthOfList && (isInList || names.includes(name))) {
        isInList = true;
        isAwaited = true;
      }
    } else if (token === ',') isAwaited = isInList && depth === depthOfList;
    else if (depth === 1 && token.startsWith('"')) name = token.slice(1, -1);
  }
  return lines;
}
