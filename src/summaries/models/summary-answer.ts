import * as z from 'zod/v4';
import { mapAskedFields, type AskedForm } from '../../foundations/record/record-fields.ts';
import type { ActionItem, EndedConstraint } from '../../foundations/record/summary-record.ts';
import { withheldText, type Redactor } from '../../prompt/cleaning/redactor.ts';
import { parseJson } from '../../foundations/util/json.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { asOneLine } from '../strategies/texts.ts';

/** A statement of a model. */
export interface CitedText {
  readonly text: string;
  /** Position of the message that the model cites. Not checked. */
  readonly message?: number | undefined;
}

/** A constraint that a model says has ended or changed. */
export interface EndedText extends EndedConstraint {
  /** The constraint as it holds now, if a part of it still does. */
  readonly now?: string | undefined;
}

/**
 * The answer of a model: the whole record, and the constraints that the user has ended or changed. Nothing is checked.
 */
export interface SummaryAnswer extends Record<
  'constraints' | 'decisions' | 'unresolved' | 'keyPoints' | 'domainEntities',
  readonly CitedText[]
> {
  readonly summary: string;
  readonly actionItems: readonly CitedTask[];
  readonly ended: readonly EndedText[];
}

/** A task as a model writes it. */
export type CitedTask = ActionItem & Pick<CitedText, 'message'>;

/** A record, or a text. */
export type AnswerKind = 'record' | 'text';

/** Items read from one list and characters read from one item; a model that writes more is broken. */
const maxAnswerItems = 200;
const maxAnswerItemCharacters = 2000;

/**
 * The JSON schema a model is asked to fill. It fits the strict modes of the providers: every property
 * required, nullable instead of optional, no additional properties, no bounds.
 */
export function answerJsonSchema(): z.core.JSONSchema.BaseSchema {
  const text = z.string();
  const optional = text.nullable();
  // Not `z.int()`: that writes bounds, which strict modes refuse.
  const message = z.number().nullable();
  const forms: Readonly<Record<AskedForm, z.ZodType>> = {
    constraint: z.object({ text, message }),
    statement: text,
    task: z.object({ owner: optional, task: text, due: optional }),
    ended: z.object({ rule: text, by: text, now: optional }),
  };
  // In the order in which they are written: what holds before what is told.
  const lists = mapAskedFields<Record<string, z.ZodType>>((_name, form) => z.array(forms[form]));
  const { $schema: _, ...schema } = z.toJSONSchema(z.object({ ...lists, summary: text }), {
    target: 'draft-7',
  });
  return schema;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a model's answer: the first object that holds a summary, whatever is around it, else the complete part of an
 * object that was cut off. Fields are read one by one: missing or useless ones are absent, another value in place of a
 * list is an entry of one, lists may be beside `context`, unknown keys are dropped. Every text is redacted before it is
 * cut; empty and withheld items are dropped.
 *
 * @param given - A text, or the parsed value of one.
 * @returns `undefined` when there is no summary in it.
 */
export function parseAnswer(given: unknown, clean: Redactor): SummaryAnswer | undefined {
  if (typeof given !== 'string') return answerIn({ value: given, isWhole: true }, clean);
  for (const text of answerCandidates(given)) {
    const found = [...objectsIn(text)].toSorted((a, b) => Number(b.isWhole) - Number(a.isWhole));
    for (const each of found) {
      const answer = answerIn(each, clean);
      if (answer !== undefined) return answer;
    }
  }
  return undefined;
}

const thinking = /^\s*<(?:think|thinking|thought|reasoning)>/i;
const thought = /<\/(?:think|thinking|thought|reasoning)>/i;

/**
 * Lists the texts to try: the text after a model's thoughts, if it shows them; then all, unless it begins with them.
 */
export function answerCandidates(text: string): readonly string[] {
  const end = thought.exec(text);
  const behind = end === null ? [] : [text.slice(end.index + end[0].length)];
  return thinking.test(text) ? behind : [...behind, text];
}

/** Reads an object as an answer. If it was cut off before its narrative, its statements replace that. */
function answerIn(
  { value, isWhole }: { readonly value: unknown; readonly isWhole: boolean },
  clean: Redactor,
): SummaryAnswer | undefined {
  const fields = recordIn(value);
  if (fields === undefined) return undefined;
  const answer = answerOf(fields, clean);
  const statements = [...answer.decisions, ...answer.keyPoints, ...answer.unresolved];
  const told = isWhole ? '' : statements.map(({ text }) => text).join(' ');
  const summary = answer.summary || told;
  return summary === '' ? undefined : { ...answer, summary };
}

/** Finds the object of a record in a value or among its members: some models wrap their answer. */
function recordIn(value: unknown): Fields | undefined {
  return [value, ...Object.values<unknown>(Object(value))].filter(isObject).find((fields) => {
    const { summary, keyPoints, decisions, context } = fields;
    return [textOf(summary).trim(), keyPoints, decisions, context].some(Boolean);
  });
}

function answerOf(fields: Fields, clean: Redactor): SummaryAnswer {
  const lineOf = (value: unknown): string => {
    const line = asOneLine(clean(textOf(value)));
    return line === withheldText ? '' : line.slice(0, maxAnswerItemCharacters).toWellFormed();
  };
  const { context } = fields;
  const listOf = <Read>(key: string, read: (entry: Fields) => Read | undefined): Read[] => {
    const entries = [...listed(fields[key]), ...(isObject(context) ? listed(context[key]) : [])];
    return entries
      .slice(0, maxAnswerItems)
      .flatMap((entry) => read(isObject(entry) ? entry : { text: entry }) ?? []);
  };
  const statementIn = (entry: Fields): CitedText | undefined => {
    const text = lineOf(entry['text']);
    return text === '' ? undefined : { text, ...positionIn(entry) };
  };
  const readers: Readonly<Record<AskedForm, (entry: Fields) => unknown>> = {
    constraint: statementIn,
    statement: statementIn,
    task: (entry) => {
      const task = lineOf(entry['task'] ?? entry['text']);
      const [owner, due] = [lineOf(entry['owner']), lineOf(entry['due'])];
      const said = { ...(owner && { owner }), task, ...(due && { due }) };
      return task === '' ? undefined : { ...said, ...positionIn(entry) };
    },
    ended: (entry) => {
      const [rule, by, now] = [lineOf(entry['rule']), lineOf(entry['by']), lineOf(entry['now'])];
      return rule === '' || by === '' ? undefined : { rule, by, ...(now && { now }) };
    },
  };
  const lists = mapAskedFields<Omit<SummaryAnswer, 'summary'>>((name, form) =>
    listOf(name, readers[form]),
  );
  return { ...lists, summary: clean(textOf(fields['summary'])).trim() };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a list as it is, a text as its lines, and any other value as the only entry. */
function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return value === undefined || value === null ? [] : [value];
  const lines = value.split('\n', maxAnswerItems);
  return lines.map((line) => line.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, ''));
}

/** Reads a whole number from 0 on, also from a text; anything else is no position. */
function positionIn({ message }: Fields): Pick<CitedText, 'message'> {
  const position = /^\d{1,9}$/.test(textOf(message)) ? Number(message) : message;
  const isPosition = typeof position === 'number' && Number.isSafeInteger(position);
  return isPosition && position >= 0 ? { message: position } : {};
}

/** An object that was found in a text. */
export interface FoundObject {
  readonly value: Fields;
  /** Whether the object ends; else `value` holds its complete part, entries of lists as a whole or not at all. */
  readonly isWhole: boolean;
}

/** Nested objects and lists that are read: a record has four. */
const maxDepth = 16;

/** How often a text may be read over because parts only begin like an object; least cost of such a part. */
const maxReadings = 8;
const leastReading = 32;

/**
 * Finds the objects in a model's answer, in order: prose, fences, marks and lists may be around them. A text that only
 * begins like an object is skipped. Raw line breaks in texts, backslashes that escape nothing and commas after the last
 * entry are accepted. Reads a text some times over at the most, whatever it holds.
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

/** An opening bracket, a closing one, a text as far as it goes, or another value. Separators before it are skipped. */
const token =
  /[\s,:]*(?:([[{])|([\]}])|"([^"\\]*(?:\\[^][^"\\]*)*)("?)|(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\]}]))/y;

/** Reads an object as valid JSON, as far as it goes, and closes open brackets where it breaks off. */
function readObject(text: string, start: number): FoundObject & { readonly end: number } {
  const open: string[] = [];
  let [end, written, whole, separator] = [start, '', '', ''];
  token.lastIndex = start;
  do {
    const [found, opening, closing, inner = '', quote, other] = token.exec(text) ?? [];
    if (found === undefined || (closing !== undefined && closing !== open.at(-1))) break;
    end = token.lastIndex;
    const isKey = quote !== undefined && open.at(-1) === '}' && separator !== ':';
    if (quote === '') break;
    written += closing ?? separator + (opening ?? other ?? lawful(inner));
    if (opening !== undefined) open.push(opening === '{' ? '}' : ']');
    if (closing !== undefined) open.pop();
    separator = opening === undefined ? ',' : '';
    if (isKey) separator = ':';
    // Entries of lists count as a whole or not at all.
    else if (!open.slice(0, -1).includes(']')) whole = written + open.toReversed().join('');
  } while (open.length > 0 && open.length <= maxDepth);
  const read = parseJson(whole);
  return { value: isObject(read) ? read : {}, isWhole: open.length === 0, end };
}

/** Writes the characters between the quotation marks of a text as valid JSON. */
function lawful(raw: string): string {
  const inner = raw.replaceAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\|\p{Cc}/gu, (found) =>
    found.length > 1 ? found : JSON.stringify(found).slice(1, -1),
  );
  return `"${inner}"`;
}
