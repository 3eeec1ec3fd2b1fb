import { z } from 'zod/v4';
import type { SummaryContent } from '../../record/summary-record.ts';
import { withheldText, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import { asOneLine } from '../rule-based/texts/sentences.ts';

/**
 * What a model writes: the narrative, the items that are new, and the ids of previous items that are
 * resolved or superseded.
 */
export interface SummaryAnswer extends SummaryContent {
  readonly resolved: readonly string[];
  readonly superseded: readonly string[];
}

/** `first`: no previous record, so nothing can be resolved or superseded. */
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
 * required, nullable instead of optional, no additional properties.
 */
export function answerJsonSchema(kind: AnswerKind): z.core.JSONSchema.BaseSchema {
  const list = z.array(z.string());
  const content = z.object({
    summary: z.string(),
    keyPoints: list,
    context: z.object({
      participants: list,
      decisions: list,
      actionItems: z.array(
        z.object({ owner: z.string().nullable(), task: z.string(), due: z.string().nullable() }),
      ),
      unresolved: list,
      domainEntities: list,
      constraints: list,
    }),
  });
  const schema = kind === 'first' ? content : content.extend({ resolved: list, superseded: list });
  return z.toJSONSchema(schema, { target: 'draft-7' });
}

/**
 * Reads what a model wrote. Missing lists are empty, a null owner or due date is absent, unknown keys
 * are dropped, every text goes through the door before it is cut, items that are empty or were withheld
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
  const list = z
    .preprocess(firstEntries, z.array(item).nullish())
    .transform((items) => (items ?? []).filter((text) => text !== '').slice(0, maxAnswerItems));
  const detail = item
    .nullish()
    .transform((text) => (text === '' || text === null ? undefined : text));
  const actionItem = z
    .object({ owner: detail, task: item, due: detail })
    .transform(({ owner, task, due }) => ({
      ...(owner === undefined ? {} : { owner }),
      task,
      ...(due === undefined ? {} : { due }),
    }));
  const context = z.object({
    participants: list,
    decisions: list,
    actionItems: z
      .preprocess(firstEntries, z.array(actionItem).nullish())
      .transform((items) =>
        (items ?? []).filter(({ task }) => task !== '').slice(0, maxAnswerItems),
      ),
    unresolved: list,
    domainEntities: list,
    constraints: list,
  });
  return z.object({
    summary: z.string().transform((text) => clean(text).slice(0, maxNarrativeCharacters).trim()),
    keyPoints: list,
    context: z.preprocess((given) => given ?? {}, context),
    resolved: list,
    superseded: list,
  });
}

function firstEntries(list: unknown): unknown {
  return Array.isArray(list) ? list.slice(0, maxListed) : list;
}
