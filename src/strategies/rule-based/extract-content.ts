import { omittedSummary } from '../../composing/render-summary.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import type { TextReading } from '../../tokens/text/count-text.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import type { ToolExtractor } from '../tool-summary.ts';
import { findStatements } from './facts/find-statements.ts';
import { toolUses, type PlacedToolUse } from './facts/tool-uses.ts';
import { touchedFiles } from './facts/touched-files.ts';
import { findUserRules } from './facts/user-rules.ts';
import { fitUnits } from './fit-units.ts';
import { noNarrative, readNarrative } from './minutes.ts';
import { readIdentifierList } from './identifier-list.ts';
import { listedTexts } from './listed-texts.ts';
import { minutesTexts, type MinutesTexts } from './minutes-texts.ts';
import { planUnits } from './plan-units.ts';
import type { UnitSources } from './unit-sources.ts';
import { summaryBudget } from './summary-budget.ts';
import { composeContent, type SummaryUnit, type TextField } from './summary-unit.ts';
import type { Excerpt } from './texts/excerpt.ts';
import { asOneLine, sameness } from './texts/sentences.ts';
import { sourceTexts } from './texts/source-texts.ts';

/** Name of the strategy in records. */
const strategyName = 'rule-based';

/** The options of the strategy, none left out. */
export interface ExtractionOptions {
  readonly extractors: Readonly<Record<string, ToolExtractor>>;
  readonly preserveErrorDetails: boolean;
  readonly minUserTurns: number;
}

/** Chooses what a summary says, by code alone. What it returns fits its budget. */
export async function extractContent(
  input: SummaryInput,
  options: ExtractionOptions,
  { count, slices }: TextReading,
): Promise<SummaryContent> {
  const { messages, previous, redact } = input;
  // What this strategy wrote are quotes: reading them once more cannot make them drift.
  const readsNarrative = input.usePreviousNarrative || previous?.strategy === strategyName;
  const earlier = readNarrative(readsNarrative ? (previous?.summary ?? '') : '');
  const userTurns = earlier.userTurns + messages.filter(({ role }) => role === 'user').length;
  const hasBullets = userTurns >= options.minUserTurns;
  const uses = await toolUses(messages, { ...options, redact, slices });
  const { texts, done } = await minutesTexts(
    await sourceTexts(messages, slices, redact),
    {
      ...earlier,
      texts: [...listedTexts(previous?.context.domainEntities ?? []), ...earlier.texts],
    },
    uses,
    { hasBullets, extractors: options.extractors, slices },
  );
  const sources: UnitSources = {
    texts,
    ...(await statedUnits(input, { texts, done }, uses, slices)),
    placeholder: hasBullets ? [] : [{ type: 'placeholder' }],
  };
  const budget = await summaryBudget(input, count, slices);
  const units = await planUnits(sources, budget.room, slices);
  const compose = (chosen: readonly SummaryUnit[]): SummaryContent => {
    const content = composeContent(chosen, texts);
    return content.summary === '' ? { ...content, summary: noNarrative } : content;
  };
  return (await fitUnits(units, compose, budget)) ?? emptyContent(omittedSummary);
}

/** What was said and done, and what the record that is continued holds beside that. */
async function statedUnits(
  { messages, previous }: SummaryInput,
  { texts, done }: MinutesTexts,
  uses: readonly PlacedToolUse[],
  slices: TimeSlices,
): Promise<Omit<UnitSources, 'texts' | 'placeholder'>> {
  const { keyPoints, context: old } = previous ?? emptyContent('');
  const { asks, answers, decisions, tasks, unresolved } = await findStatements(texts, slices);
  const { rules, remarks } = await findUserRules(texts, old.constraints, slices);
  const artifacts = await touchedFiles(uses, slices);
  const speakers = ['user', 'assistant'].filter((speaker) =>
    messages.some(({ role }) => role === speaker),
  );
  const requests = [asks[0], asks.at(-1)].flatMap((ask) =>
    ask === undefined ? [] : [textOf(ask, texts)],
  );
  return {
    artifacts: items('domainEntities', artifacts),
    rules: rules.map(({ text, order }) => ({ type: 'item', field: 'constraints', text, order })),
    remarks: remarks.map(excerptUnit),
    statements: [
      ...items('decisions', decisions),
      ...actions(tasks.map((task) => ({ task }))),
      ...items('unresolved', unresolved),
    ],
    overview: [
      ...items('participants', [...speakers, ...old.participants]),
      ...items('keyPoints', requests),
    ],
    // The newest request says what goes on; the first one and how it was answered, what it is all about.
    asks: [...asks.slice(0, 1), ...oldestFirst(asks.slice(1))].map(excerptUnit),
    answers: oldestFirst(answers).map(excerptUnit),
    done: done.map((source) =>
      excerptUnit({ source, start: 0, end: endOfFacts(texts[source]?.text ?? '') }),
    ),
    inheritedStatements: [
      ...items('decisions', old.decisions, decisions),
      ...actions(old.actionItems, tasks),
      ...items('unresolved', old.unresolved, unresolved),
    ],
    inheritedPoints: items('keyPoints', keyPoints, requests),
    inheritedEntities: items(
      'domainEntities',
      old.domainEntities.filter((entity) => readIdentifierList(entity) === undefined),
      artifacts,
    ),
  };
}

/** Characters of the facts of a call beyond which their end is left to the excerpts. */
const mostFactCharacters = 240;

function endOfFacts(text: string): number {
  if (text.length <= mostFactCharacters) return text.length;
  const end = text.lastIndexOf(' ', mostFactCharacters);
  return end > 0 ? end : text.length;
}

function textOf({ source, start, end }: Excerpt, texts: MinutesTexts['texts']): string {
  return asOneLine(texts[source]?.text.slice(start, end) ?? '');
}

/** The oldest one, then the others as they are given, newest first. */
function oldestFirst(excerpts: readonly Excerpt[]): readonly Excerpt[] {
  return [...excerpts.slice(-1), ...excerpts.slice(0, -1)];
}

function excerptUnit(excerpt: Excerpt): SummaryUnit {
  return { type: 'excerpt', excerpt };
}

/** Items of a list, each once, without those that newer ones repeat. */
function items(
  field: TextField,
  texts: readonly string[],
  newer: readonly string[] = [],
): readonly SummaryUnit[] {
  const said = new Set(newer.map(sameness));
  const units: SummaryUnit[] = [];
  for (const text of texts) {
    const wording = sameness(text);
    if (!said.has(wording)) units.push({ type: 'item', field, text });
    said.add(wording);
  }
  return units;
}

function actions(
  list: readonly ActionItem[],
  newer: readonly string[] = [],
): readonly SummaryUnit[] {
  const said = new Set(newer.map(sameness));
  return list
    .filter(({ task }) => !said.has(sameness(task)))
    .map((item) => ({ type: 'action', item }));
}
