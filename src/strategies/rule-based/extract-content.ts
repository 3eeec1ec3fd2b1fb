import { omittedSummary } from '../../composing/render-summary.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { findKeyPoints } from './facts/find-key-points.ts';
import { findStatements } from './facts/find-statements.ts';
import { fitUnits } from './fit-units.ts';
import { fewUserTurns, memoryTexts } from './memory-texts.ts';
import { planUnits } from './plan-units.ts';
import { sourceTexts } from './texts/source-texts.ts';
import { summaryBudget } from './summary-budget.ts';
import { composeContent, type SummaryUnit, type TextField } from './summary-unit.ts';
import { renderToolSummary, type ToolExtractor } from '../tool-summary.ts';
import { summarizeToolUse, toolUses } from './facts/tool-uses.ts';
import { touchedFiles } from './facts/touched-files.ts';
import { findUserRules } from './facts/user-rules.ts';

/** Name of the strategy in records. */
const strategyName = 'rule-based';

/** The options of the strategy, none left out. */
export interface ExtractionOptions {
  readonly extractors: Readonly<Record<string, ToolExtractor>>;
  readonly preserveErrorDetails: boolean;
  readonly minUserTurns: number;
}

/** Tool lines that can be chosen from; the older ones could never fit. */
const maxToolLines = 300;

/** Chooses what a summary says, by code alone. What it returns fits its budget. */
export async function extractContent(
  input: SummaryInput,
  options: ExtractionOptions,
  { count, slices }: { readonly count: (text: string) => number; readonly slices: TimeSlices },
): Promise<SummaryContent> {
  const { messages, previous, redact } = input;
  // What this strategy wrote are quotes: reading them once more cannot make them drift.
  const readsNarrative = input.usePreviousNarrative || previous?.strategy === strategyName;
  const memory = memoryTexts(readsNarrative ? previous : undefined);
  const userTurns = memory.userTurns + messages.filter(({ role }) => role === 'user').length;
  const hasBullets = userTurns >= options.minUserTurns;
  const texts = [
    ...memory.texts.map((text) => ({ ...text, bullet: hasBullets && text.bullet === true })),
    ...(await sourceTexts(messages, slices, redact)).map((text) => ({
      ...text,
      bullet: hasBullets && text.role === 'user',
    })),
  ];
  const uses = await toolUses(messages, { ...options, redact, slices });
  const toolLines: (SummaryUnit & { readonly failed: boolean })[] = [];
  for (const { use, index } of uses.slice(-maxToolLines).toReversed()) {
    const summary = summarizeToolUse(use, options.extractors);
    const text = renderToolSummary(summary);
    toolLines.push({ type: 'line', index, text, failed: summary.status === 'error' });
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  const { decisions, tasks, unresolved } = await findStatements(texts, slices);
  const old = previous?.context;
  const rules = await findUserRules(texts, old?.constraints ?? [], slices);
  const textsOf = (isRemark: boolean): readonly string[] =>
    rules.filter((rule) => rule.isRemark === isRemark).map(({ text }) => text);
  const keyPoints = await findKeyPoints(texts, slices);
  const artifacts = await touchedFiles(uses, slices);
  const budget = await summaryBudget(input, count, slices);
  const units = await planUnits(
    {
      texts,
      artifacts: items('domainEntities', artifacts, []),
      rules: items('constraints', textsOf(false), []),
      remarks: items('constraints', textsOf(true), []),
      statements: [
        ...items('decisions', decisions, []),
        ...actions(tasks.map((task) => ({ task }))),
        ...items('unresolved', unresolved, []),
      ],
      overview: [
        ...items('participants', participantsOf(messages), old?.participants ?? []),
        ...items('keyPoints', keyPoints, []),
      ],
      inheritedStatements: [
        ...itemsBeside(decisions, 'decisions', old?.decisions ?? []),
        ...actionsBeside(tasks, old?.actionItems ?? []),
        ...itemsBeside(unresolved, 'unresolved', old?.unresolved ?? []),
      ],
      inheritedPoints: itemsBeside(keyPoints, 'keyPoints', previous?.keyPoints ?? []),
      inheritedEntities: itemsBeside(artifacts, 'domainEntities', old?.domainEntities ?? []),
      toolLines: [
        ...toolLines.filter(({ failed }) => failed),
        ...toolLines.filter(({ failed }) => !failed),
        ...memory.lines,
      ],
      placeholder: hasBullets ? [] : [{ type: 'line', index: -1, text: fewUserTurns }],
    },
    budget.room,
    slices,
  );
  const compose = (chosen: readonly SummaryUnit[]): SummaryContent => {
    const content = composeContent(chosen, texts);
    return content.summary === '' ? { ...content, summary: fewUserTurns } : content;
  };
  return (await fitUnits(units, compose, budget)) ?? emptyContent(omittedSummary);
}

function participantsOf(messages: readonly Message[]): readonly string[] {
  return (['user', 'assistant'] as const).filter((participant) =>
    messages.some(({ role }) => role === participant),
  );
}

/** New items before old ones, each once. */
function items(
  field: TextField,
  added: readonly string[],
  old: readonly string[],
): readonly SummaryUnit[] {
  const seen = new Map<string, string>();
  for (const text of [...added, ...old])
    if (!seen.has(sameness(text))) seen.set(sameness(text), text);
  return [...seen.values()].map((text) => ({ type: 'item', field, text }));
}

/** Old items that no new one repeats. */
function itemsBeside(
  added: readonly string[],
  field: TextField,
  old: readonly string[],
): readonly SummaryUnit[] {
  const repeated = new Set(added.map(sameness));
  return items(
    field,
    [],
    old.filter((text) => !repeated.has(sameness(text))),
  );
}

function actions(list: readonly ActionItem[]): readonly SummaryUnit[] {
  return list.map((item) => ({ type: 'action', item }));
}

function actionsBeside(
  added: readonly string[],
  old: readonly ActionItem[],
): readonly SummaryUnit[] {
  const repeated = new Set(added.map(sameness));
  return actions(old.filter(({ task }) => !repeated.has(sameness(task))));
}

function sameness(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
