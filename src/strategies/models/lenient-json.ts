/** An object that was found in a text. */
export interface FoundObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** Whether it ends; else `value` holds what was whole of it, entries of lists as a whole or not at all. */
  readonly isWhole: boolean;
  /** The text in the middle of which it ends, as far as it goes, and its key; where it ends in one. */
  readonly cut?: { readonly key: string; readonly text: string } | undefined;
}

/** Objects and lists in one another that are read: of a record, four. */
const maxDepth = 16;

/** How often a text may be read over, for what begins like an object and is none; and what beginning to costs. */
const maxReadings = 8;
const leastReading = 32;

/**
 * Finds the objects in what a model wrote, first the first: prose, fences and marks may stand around them, lists too.
 * What begins like one and is none is passed over. Raw line breaks in texts, backslashes that escape nothing and commas
 * behind the last entry are no fault. Reads a text some times over at the most, whatever it holds.
 */
export function* objectsIn(text: string): Generator<FoundObject, void, undefined> {
  const beginning = /\{\s*"/g;
  let left = maxReadings * text.length;
  while (left > 0) {
    const start = beginning.exec(text)?.index;
    if (start === undefined) return;
    const { end, ...found } = readObject(text, start);
    left -= Math.max(leastReading, end - start);
    beginning.lastIndex = found.isWhole ? end : start + 1;
    yield found;
  }
}

const scalar = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /\s*/y;

type Keep = (value: unknown) => void;

// oxlint-disable-next-line max-lines-per-function -- one reader, whose functions share where it is
function readObject(text: string, start: number): FoundObject & { readonly end: number } {
  let at = start;
  let cut: FoundObject['cut'];
  const next = (mark: string): boolean => {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };
  const readText = (keep: (value: string) => void, key?: string): boolean => {
    const from = at;
    let end = text.indexOf('"', from);
    while (end !== -1 && isEscaped(text, end, from)) end = text.indexOf('"', end + 1);
    at = end === -1 ? text.length : end + 1;
    const read = unescaped(text.slice(from, end === -1 ? text.length : end));
    if (end !== -1) keep(read);
    else if (key !== undefined) cut = { key, text: read };
    return end !== -1;
  };
  /** Each says whether it came to its end. */
  const readValue = (depth: number, keep: Keep, key?: string): boolean => {
    if (next('"')) return readText(keep, key);
    if (depth < maxDepth && next('{')) return readEntries(depth, keep);
    if (depth < maxDepth && next('[')) return readList(depth, keep);
    scalar.lastIndex = at;
    const [found = ''] = scalar.exec(text) ?? [];
    at += found.length;
    // More of it may have been to come.
    if (found === '' || at === text.length) return false;
    keep(JSON.parse(found));
    return true;
  };
  const readList = (depth: number, keep: Keep): boolean => {
    const list: unknown[] = [];
    keep(list);
    const put: Keep = (value) => void list.push(value);
    let isOpen = true;
    while (!next(']')) {
      const { length } = list;
      if (!isOpen || !readValue(depth + 1, put)) {
        list.length = length;
        return false;
      }
      isOpen = next(',');
    }
    return true;
  };
  const readEntries = (depth: number, keep: Keep): boolean => {
    const entries: Record<string, unknown> = {};
    keep(entries);
    let isOpen = true;
    while (!next('}')) {
      let key = '';
      if (!isOpen || !next('"') || !readText((name) => (key = name)) || !next(':')) return false;
      const put: Keep = (value) =>
        void Object.defineProperty(entries, key, { value, enumerable: true, configurable: true });
      if (!readValue(depth + 1, put, key)) return false;
      isOpen = next(',');
    }
    return true;
  };
  let value: FoundObject['value'] = {};
  at += 1;
  const isWhole = readEntries(0, (read) => (value = Object(read)));
  return { value, isWhole, cut, end: at };
}

function isEscaped(text: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** What stands between the marks of a text. */
function unescaped(raw: string): string {
  if (!/[\\\p{Cc}]/u.test(raw)) return raw;
  const lawful = raw
    .replaceAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?/g, (found) => (found === '\\' ? '\\\\' : found))
    .replaceAll(/\p{Cc}/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return String(JSON.parse(`"${lawful}"`));
}

/**
 * Where a sentence ends: neither behind an initial nor with a line. Half a secret, as of a key of several lines, is
 * recognised by no redaction.
 */
const sentenceEnd = /[^\s.]{2}[.!?؟۔।](?=\s)|[。！？]/g;

/** A text as far as its last whole sentence. */
export function wholeSentences(text: string): string {
  const last = [...text.matchAll(sentenceEnd)].at(-1);
  return last === undefined ? '' : text.slice(0, last.index + last[0].length).trim();
}
