import { remarksIn } from './reading.ts';

/** Contents of a summary record for the embedded model. */
export interface KnownRecord {
  readonly narrative: string;
  /** Items by id; ids are only given where a summary is continued. */
  readonly items: readonly KnownItem[];
}

interface KnownItem {
  /** The list it stands in, such as `keyPoints`. */
  readonly list: string;
  readonly id: string;
  readonly text: string;
}

/** Label of the key point that says which steps of the current request are finished. */
export const progressLabel = 'Steps finished: ';

/** Steps that a record says are finished. */
export function finishedSteps(record: KnownRecord): readonly string[] {
  return record.items
    .filter(({ text }) => text.startsWith(progressLabel))
    .flatMap(({ text }) => Array.from(text.matchAll(/`([^`]+)`/g), ([, step = '']) => step));
}

/** The lists of a record that hold no facts: questions, and what does not hold any more. */
const unstated = new Set(['unresolved', 'endedConstraints']);

/** Speaker of a statement in a record. */
const teller = /^(?:user|assistant|tool|system|summarizer): /;

/** The statements of a record that can answer a question: its items, then what its narrative tells; no questions. */
export function recordStatements(record: KnownRecord): readonly string[] {
  const items = record.items
    .filter(({ list, text }) => !unstated.has(list) && !text.startsWith(progressLabel))
    .flatMap(({ list, text }) => (list === 'userQuotes' ? remarksIn(text) : [text]));
  return [...items, ...record.narrative.split('\n')].filter((line) => !/\?$|^$/.test(line.trim()));
}

/** Lists by the headings that they stand under in a prompt. */
const headings: Readonly<Record<string, string>> = {
  Constraints: 'constraints',
  'Ended constraints': 'endedConstraints',
  Decisions: 'decisions',
  'Action items': 'actionItems',
  Unresolved: 'unresolved',
  'Key points': 'keyPoints',
  Entities: 'domainEntities',
  'Said by the user': 'userQuotes',
};

/** Reads a record as it stands in a prompt: headings with a line for each item. */
export function readShownRecord(shown: string): KnownRecord {
  const narrative: string[] = [];
  const items: KnownItem[] = [];
  let heading = '';
  for (const line of shown.split('\n').slice(2, -1)) {
    const list = headings[heading];
    const text = unescaped(line).replace(teller, '');
    if (line.startsWith('# ')) heading = line.slice(2);
    else if (heading === 'Summary') narrative.push(text);
    else if (list !== undefined) items.push({ list, id: `${items.length}`, text });
  }
  return { narrative: narrative.join('\n'), items };
}

/** A line as it was before nothing in it could be taken for a tag or a heading. */
function unescaped(line: string): string {
  return line
    .replace(/^\\#/, '#')
    .replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

/** Items of a list of a record, for the next record, which is rewritten. */
export function textsOf(record: KnownRecord, name: string): readonly string[] {
  return record.items.flatMap(({ list, text }) => (list === name ? [text] : []));
}

/** Reads a record from its JSON; lists hold texts, or texts by id. */
export function readRecord(json: unknown): KnownRecord {
  const { summary, context, ...lists } = asObject(json);
  return {
    narrative: typeof summary === 'string' ? summary : '',
    items: Object.entries({ ...lists, ...asObject(context) }).flatMap(([list, items]) =>
      Object.entries(asObject(items)).map(([id, item]) => ({
        list,
        id,
        text: typeof item === 'string' ? item.replace(teller, '') : taskText(asObject(item)),
      })),
    ),
  };
}

function taskText({ task, due }: Readonly<Record<string, unknown>>): string {
  return [task, due].filter(Boolean).join(' ');
}

/** Parses the lines of a text that are JSON objects or arrays; other lines say nothing here. */
export function jsonLines(text: string): readonly unknown[] {
  return text.split('\n').flatMap((line): unknown[] => {
    if (!/^[[{]/.test(line)) return [];
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** The entries of an object or array; nothing for any other value. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
