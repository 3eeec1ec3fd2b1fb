import { z } from 'zod/v4';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import { withheldText, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import { isObject } from '../../util/is-object.ts';
import { asOneLine } from '../texts.ts';
import { objectsIn, wholeSentences, type FoundObject } from './lenient-json.ts';

/** A statement of a model. */
export interface CitedText {
  readonly text: string;
  /** Position of the message that it says the statement comes from. Not checked. */
  readonly message?: number | undefined;
}

/** A rule that a model says the user has ended. Nothing of it is checked. */
export interface EndedRule {
  /** The id of an earlier constraint, or the words of the rule or of the clause of it that was meant. */
  readonly rule: string;
  /** The user's words that ended it. */
  readonly by: string;
}

/**
 * What a model writes: the narrative, the items that are new, the ids of previous items that are resolved or
 * superseded, and the rules that the user has ended.
 */
export interface SummaryAnswer {
  readonly summary: string;
  readonly keyPoints: readonly CitedText[];
  readonly context: {
    readonly participants: readonly string[];
    readonly decisions: readonly CitedText[];
    readonly actionItems: readonly (ActionItem & Pick<CitedText, 'message'>)[];
    readonly unresolved: readonly CitedText[];
    readonly domainEntities: readonly string[];
    readonly constraints: readonly CitedText[];
  };
  readonly resolved: readonly string[];
  readonly superseded: readonly string[];
  readonly ended: readonly EndedRule[];
}

/** `first`: no previous record, so no item of one can be resolved or superseded. */
export type AnswerKind = 'first' | 'update';

/** Items read from one list and characters read from one item; a model that writes more is broken. */
const maxAnswerItems = 200;
const maxAnswerItemCharacters = 2000;

/** Entries of a list, and characters of an item, that are looked at for those that are read. */
const maxListed = 5 * maxAnswerItems;
const maxSearched = 2 * maxAnswerItemCharacters;

/** Characters of a narrative that are read: budgets are far below, and a model that repeats itself is not. */
const maxNarrativeCharacters = 1_000_000;

/**
 * The JSON schema a model is asked to fill. It fits the strict modes of the providers: every property
 * required, nullable instead of optional, no additional properties, no bounds.
 */
export function answerJsonSchema(kind: AnswerKind): z.core.JSONSchema.BaseSchema {
  const list = z.array(z.string());
  const text = z.string();
  // Not `z.int()`: that writes bounds, which strict modes refuse.
  const message = z.number().nullable();
  const cited = z.array(z.object({ text, message }));
  // In the order in which they are written: what holds before what is told.
  const content = {
    constraints: cited,
    ended: z.array(z.object({ rule: text, by: text })),
    decisions: cited,
    actionItems: z.array(
      z.object({ owner: text.nullable(), task: text, due: text.nullable(), message }),
    ),
    unresolved: cited,
    keyPoints: cited,
    domainEntities: list,
  };
  const update = kind === 'first' ? {} : { resolved: list, superseded: list };
  const schema = z.object({ ...content, ...update, summary: text });
  return z.toJSONSchema(schema, { target: 'draft-7' });
}

type Fields = Readonly<Record<string, unknown>>;

/** Objects in one another that are looked through for the one that holds a summary, and members of each. */
const maxWrappers = 3;
const maxMembers = 20;

/**
 * Reads what a model wrote: the first object that holds a summary, whatever stands around it, and of an object that was
 * cut off what is whole of it. Fields are read one by one: what is missing or of no use is absent, what stands where a
 * list belongs is an entry of one, lists may stand beside `context`, unknown keys are dropped. Every text goes through
 * the door before it is cut; items that are empty or were withheld leave.
 *
 * @param given - A text, or what was parsed of one.
 * @returns `undefined` when there is no summary in it.
 */
export function parseAnswer(given: unknown, clean: RedactionDoor): SummaryAnswer | undefined {
  if (typeof given !== 'string') return answerIn(given, clean);
  for (const text of spokenIn(given)) {
    let cutOff: SummaryAnswer | undefined;
    for (const { value, isWhole, cut } of objectsIn(text)) {
      const answer = isWhole ? answerIn(value, clean) : undefined;
      if (answer !== undefined) return answer;
      if (!isWhole) cutOff ??= answerIn(value, clean) ?? unfinished(value, cut, clean);
    }
    if (cutOff !== undefined) return cutOff;
  }
  return undefined;
}

const thinking = /^\s*<(?:think|thinking|thought|reasoning)>/i;
const thought = /<\/(?:think|thinking|thought|reasoning)>/i;

/** What a model said aloud: what follows its thoughts, where it shows them; all of it where that says nothing. */
export function spokenIn(text: string): readonly string[] {
  const end = thought.exec(text);
  const behind = end === null ? [] : [text.slice(end.index + end[0].length)];
  return thinking.test(text) ? behind : [...behind, text];
}

function answerIn(value: unknown, clean: RedactionDoor): SummaryAnswer | undefined {
  const fields = fieldsIn(
    value,
    ({ summary }) => typeof summary === 'string' && /\S/.test(summary),
  );
  return fields && answerOf(fields, clean);
}

/** The object that is looked for, or the one of its members that is: some models wrap what they were asked for. */
function fieldsIn(
  value: unknown,
  isIt: (fields: Fields) => boolean,
  depth = maxWrappers,
): Fields | undefined {
  if (isObject(value) && isIt(value)) return value;
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  for (const member of Object.values(value).slice(0, maxMembers)) {
    const found = fieldsIn(member, isIt, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What was cut off before its narrative ended: whole sentences of that, where it had begun, else what the items say. It
 * tells nothing where there is no item.
 */
function unfinished(
  value: Fields,
  cut: FoundObject['cut'],
  clean: RedactionDoor,
): SummaryAnswer | undefined {
  const fields = fieldsIn(
    value,
    (each) => 'keyPoints' in each || 'decisions' in each || isObject(each['context']),
  );
  const items = fields && answerOf({ ...fields, summary: '-' }, clean);
  if (items === undefined) return undefined;
  const { keyPoints, context } = items;
  const statements = [...context.decisions, ...keyPoints, ...context.unresolved];
  if (statements.length === 0) return undefined;
  const narrative = cut?.key === 'summary' ? wholeSentences(clean(cut.text)) : '';
  return { ...items, summary: narrative || statements.map(({ text }) => text).join(' ') };
}

// oxlint-disable-next-line max-lines-per-function -- one object, most of it a field a line
function answerOf(fields: Fields, clean: RedactionDoor): SummaryAnswer | undefined {
  const summary = clean(String(fields['summary'])).slice(0, maxNarrativeCharacters).trim();
  if (summary === '') return undefined;
  const lineOf = (value: unknown): string => {
    if (typeof value !== 'string') return '';
    const line = asOneLine(clean(value).slice(0, maxSearched));
    return line === withheldText ? '' : line.slice(0, maxAnswerItemCharacters).toWellFormed();
  };
  const places = [fields, fields['context']].filter((place) => isObject(place));
  const listOf = <Entry>(
    key: string,
    read: (entry: Fields) => Entry,
    wordsOf: (entry: Entry) => string,
  ): readonly Entry[] =>
    places
      .flatMap((place) => listed(place[key]))
      .map((entry) => read(isObject(entry) ? entry : { text: entry }))
      .filter((entry) => wordsOf(entry) !== '')
      .slice(0, maxAnswerItems);
  const texts = (key: string): readonly string[] =>
    listOf(
      key,
      ({ text }) => lineOf(text),
      (text) => text,
    );
  const cited = (key: string): readonly CitedText[] =>
    listOf(
      key,
      ({ text, message }) => present({ text: lineOf(text), message: positionOf(message) }),
      ({ text }) => text,
    );
  const actionItem = ({ task, text, owner, due, message }: Fields) =>
    present({
      owner: lineOf(owner) || undefined,
      task: lineOf(task ?? text),
      due: lineOf(due) || undefined,
      message: positionOf(message),
    });
  const endedRule = ({ rule, by, text }: Fields): EndedRule => ({
    rule: lineOf(rule),
    by: lineOf(by ?? text),
  });
  return {
    summary,
    keyPoints: cited('keyPoints'),
    context: {
      participants: texts('participants'),
      decisions: cited('decisions'),
      actionItems: listOf('actionItems', actionItem, ({ task }) => task),
      unresolved: cited('unresolved'),
      domainEntities: texts('domainEntities'),
      constraints: cited('constraints'),
    },
    resolved: texts('resolved'),
    superseded: texts('superseded'),
    ended: ['ended', 'endedRules'].flatMap((key) =>
      listOf(key, endedRule, ({ rule, by }) => rule && by),
    ),
  };
}

/** A list as it is, and what stands in the place of one: the lines of a text, or what it says. */
function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxListed);
  if (typeof value !== 'string') return value === undefined || value === null ? [] : [value];
  const lines = value.slice(0, maxListed * maxAnswerItemCharacters).split('\n', maxListed);
  return lines.map((line) => line.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, ''));
}

/** What an answer says, without what it cites. */
export function answerContent({ summary, keyPoints, context }: SummaryAnswer): SummaryContent {
  return {
    summary,
    keyPoints: answerTexts(keyPoints),
    context: {
      ...context,
      decisions: answerTexts(context.decisions),
      actionItems: context.actionItems,
      unresolved: answerTexts(context.unresolved),
      constraints: answerTexts(context.constraints),
    },
  };
}

function answerTexts(statements: readonly CitedText[]): readonly string[] {
  return statements.map(({ text }) => text);
}

/** A whole number from 0 on, also one that was written as a text; anything else is no position. */
function positionOf(value: unknown): number | undefined {
  const position = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(position) && Number(position) >= 0 ? Number(position) : undefined;
}

/** Without what is not said. */
function present<Entry extends object>(entry: Entry): Entry {
  for (const [key, value] of Object.entries(entry))
    if (value === undefined) Reflect.deleteProperty(entry, key);
  return entry;
}
