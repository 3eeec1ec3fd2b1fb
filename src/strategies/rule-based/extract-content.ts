import { noNarrative, omittedSummary } from '../../composing/render-summary.ts';
import { itemsOf, type ContentItem } from '../../record/content-items.ts';
import { emptiedContent, emptyContent } from '../../record/empty-content.ts';
import type { ItemOrigin } from '../../record/item-origin.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import type { TextReading } from '../../tokens/text/count-text.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import type { ToolExtractors } from '../tool-summary.ts';
import { findStatements, type Statement } from './facts/find-statements.ts';
import { toolUses, type PlacedToolUse } from './facts/tool-uses.ts';
import { touchedFiles } from './facts/touched-files.ts';
import { fitUnits } from './fit-units.ts';
import { nextFact, readNarrative } from './minutes.ts';
import { readIdentifierList } from './identifier-list.ts';
import { actions, fileUnits, itemUnit, items } from './item-units.ts';
import { listedTexts } from './listed-texts.ts';
import { minutesTexts, type MinutesTexts } from './minutes-texts.ts';
import { orderByPriority } from './order-by-priority.ts';
import { planUnits } from './plan-units.ts';
import type { UnitSources } from './unit-sources.ts';
import { summaryBudget } from './summary-budget.ts';
import { composeContent, type SummaryUnit } from './summary-unit.ts';
import type { Excerpt } from './texts/excerpt.ts';
import { sourceTexts } from './texts/source-texts.ts';
import { readUserWords, withRules, type UserWords } from './user-words.ts';

/** Name of the strategy in records. */
const strategyName = 'rule-based';

/** The options of the strategy, none left out. */
export interface ExtractionOptions {
  readonly extractors: ToolExtractors;
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
  const spoken = await sourceTexts(messages, slices, redact);
  const listed = {
    ...earlier,
    texts: [...listedTexts(previous?.context.domainEntities ?? []), ...earlier.texts],
  };
  const { texts, done } = await minutesTexts(spoken, listed, uses, {
    hasBullets,
    extractors: options.extractors,
    slices,
  });
  const userWords = await readUserWords(input, spoken, texts, slices);
  const sources: UnitSources = {
    texts,
    ...(await statedUnits(input, { texts, done }, userWords, uses, slices)),
    requests: userWords.openRequests.map(itemUnit('openRequests')),
    placeholder: hasBullets ? [] : [{ type: 'placeholder' }],
  };
  const budget = await summaryBudget(input, count, slices);
  const units = await planUnits(sources, budget.room, slices);
  const planned = orderByPriority(units, sources, input, budget.room);
  const compose = (chosen: readonly SummaryUnit[]): SummaryContent => {
    const content = withRules(composeContent(chosen, texts), userWords, budget.room);
    return content.summary === '' ? { ...content, summary: noNarrative } : content;
  };
  const fitted = await fitUnits(planned, compose, budget);
  return fitted ?? emptiedContent(omittedSummary, compose([]));
}

/** What was said and done, and what the record that is continued holds beside that. */
// oxlint-disable-next-line max-lines-per-function -- one object, most of it a field a line
async function statedUnits(
  { messages, previous }: SummaryInput,
  { texts, done }: MinutesTexts,
  { rules, remarks, positions }: UserWords,
  uses: readonly PlacedToolUse[],
  slices: TimeSlices,
): Promise<Omit<UnitSources, 'texts' | 'requests' | 'placeholder'>> {
  const old = itemsOf(previous ?? emptyContent(''));
  const found = await findStatements(texts, slices);
  const { asks, answers } = found;
  const originOf = (index: number): ItemOrigin => positions.originOf(index);
  const stated = ({ text, source }: Statement): ContentItem => ({
    item: text,
    origin: originOf(texts[source]?.index ?? -1),
  });
  const decisions = found.decisions.map(stated);
  const tasks = found.tasks.map(stated);
  const unresolved = found.unresolved.map(stated);
  const changed = (await touchedFiles(uses, slices)).map(({ file }) => file);
  const speakers = ['user', 'assistant'].flatMap((speaker) => {
    const first = messages.findIndex(({ role }) => role === speaker);
    return first < 0 ? [] : [{ item: speaker, origin: originOf(first) }];
  });
  return {
    artifacts: fileUnits(changed),
    rules: rules.map((rule) => ({ ...itemUnit('constraints')(rule), order: rule.order })),
    remarks: remarks.map(excerptUnit),
    statements: [
      ...items('decisions', decisions),
      ...actions(tasks.map(({ item, origin }) => ({ item: { task: item }, origin }))),
      ...items('unresolved', unresolved),
    ],
    overview: items('participants', [...speakers, ...old.participants]),
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
    inheritedPoints: items('keyPoints', old.keyPoints),
    inheritedEntities: [
      ...fileUnits((previous?.changedFiles ?? []).toReversed(), changed),
      ...items(
        'domainEntities',
        old.domainEntities.filter(({ item }) => readIdentifierList(item) === undefined),
      ),
    ],
  };
}

/** Characters of the facts of a call beyond which their end is left to the excerpts. */
const mostFactCharacters = 160;

function endOfFacts(text: string): number {
  if (text.length <= mostFactCharacters) return text.length;
  const ends = [nextFact, ' '].map((mark) => text.lastIndexOf(mark, mostFactCharacters));
  return ends.find((end) => end > 0) ?? text.length;
}

/** The oldest one, then the others as they are given, newest first. */
function oldestFirst(excerpts: readonly Excerpt[]): readonly Excerpt[] {
  return [...excerpts.slice(-1), ...excerpts.slice(0, -1)];
}

function excerptUnit(excerpt: Excerpt): SummaryUnit {
  return { type: 'excerpt', excerpt };
}
