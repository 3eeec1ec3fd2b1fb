import { z } from 'zod/v4';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import { withheldText, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import { asOneLine } from '../rule-based/texts/sentences.ts';

/** A statement of a model. */
export interface CitedText {
  readonly text: string;
  /** Position of the message that it says the statement comes from. Not checked. */
  readonly message?: number | undefined;
}

/** A rule that a model says the user has ended. Nothing of it is checked. */
export interface EndedRule {
  /** The id of an earlier constraint, or the words of the rule and the position of its message. */
  readonly rule: string;
  readonly ruleMessage?: number | undefined;
  /** Position of the user's message that ended it, and its words. */
  readonly message?: number | undefined;
  readonly text: string;
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
  readonly endedRules: readonly EndedRule[];
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
  const content = z.object({
    summary: text,
    keyPoints: cited,
    context: z.object({
      participants: list,
      decisions: cited,
      actionItems: z.array(
        z.object({ owner: text.nullable(), task: text, due: text.nullable(), message }),
      ),
      unresolved: cited,
      domainEntities: list,
      constraints: cited,
    }),
    endedRules: z.array(z.object({ rule: text, ruleMessage: message, message, text })),
  });
  const schema = kind === 'first' ? content : content.extend({ resolved: list, superseded: list });
  return z.toJSONSchema(schema, { target: 'draft-7' });
}

/**
 * Reads what a model wrote. Missing lists are empty, a null owner, due date or position is absent, a
 * statement may be a text without a position, unknown keys are dropped, every text goes through the door before it is cut, items that are empty or were withheld
 * leave.
 *
 * @returns `undefined` when the value is not an answer at all or its summary is empty.
 */
export function parseAnswer(value: unknown, clean: RedactionDoor): SummaryAnswer | undefined {
  const parsed = tolerantSchema(clean).safeParse(value);
  return parsed.success && parsed.data.summary !== '' ? parsed.data : undefined;
}

function tolerantSchema(clean: RedactionDoor): z.ZodType<SummaryAnswer> {
  const item = z
    .string()
    .transform((text) => asOneLine(clean(text).slice(0, maxSearched)))
    .transform((text) => (text === withheldText ? '' : text))
    .transform((text) => text.slice(0, maxAnswerItemCharacters).toWellFormed());
  const message = z.unknown().optional().transform(positionOf);
  const cited = z
    .union([item.transform((text) => ({ text })), z.object({ text: item, message })])
    .transform(withoutAbsent);
  const detail = item
    .nullish()
    .transform((text) => (text === '' || text === null ? undefined : text));
  const actionItem = z
    .object({ owner: detail, task: item, due: detail, message })
    .transform(withoutAbsent);
  const endedRule = z
    .object({ rule: item, ruleMessage: message, text: item, message })
    .transform(withoutAbsent);
  const list = listOf(item, (text) => text);
  const statements = listOf(cited, ({ text }) => text);
  const context = z.object({
    participants: list,
    decisions: statements,
    actionItems: listOf(actionItem, ({ task }) => task),
    unresolved: statements,
    domainEntities: list,
    constraints: statements,
  });
  return z.object({
    summary: z.string().transform((text) => clean(text).slice(0, maxNarrativeCharacters).trim()),
    keyPoints: statements,
    context: z.preprocess((given) => given ?? {}, context),
    resolved: list,
    superseded: list,
    endedRules: listOf(endedRule, ({ rule, text }) => rule && text),
  });
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

/** A list of which absence is none, and the entries that say something are read. */
function listOf<Entry>(
  entry: z.ZodType<Entry>,
  wordsOf: (entry: Entry) => string,
): z.ZodType<readonly Entry[]> {
  return z
    .preprocess(firstEntries, z.array(entry).nullish())
    .transform((entries) =>
      (entries ?? []).filter((each) => wordsOf(each) !== '').slice(0, maxAnswerItems),
    );
}

function firstEntries(list: unknown): unknown {
  return Array.isArray(list) ? list.slice(0, maxListed) : list;
}

/** A whole number from 0 on, also one that was written as a text; anything else is no position. */
function positionOf(value: unknown): number | undefined {
  const position = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(position) && Number(position) >= 0 ? Number(position) : undefined;
}

function withoutAbsent<Entry extends object>(entry: Entry): Entry {
  for (const [key, value] of Object.entries(entry))
    if (value === undefined) Reflect.deleteProperty(entry, key);
  return entry;
}
