import { omittedSummary } from '../../injection/render-summary.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { findKeyPoints } from './find-key-points.ts';
import { findStatements } from './find-statements.ts';
import { fitUnits } from './fit-units.ts';
import { fewUserTurns, memoryTexts } from './memory-texts.ts';
import { planUnits } from './plan-units.ts';
import { sourceTexts } from './source-texts.ts';
import { summaryBudget } from './summary-budget.ts';
import { composeContent, type SummaryUnit, type TextField } from './summary-unit.ts';
import { renderToolSummary, type ToolExtractor } from './tool-summary.ts';
import { summarizeToolUse, toolUses } from './tool-uses.ts';
import { touchedFiles } from './touched-files.ts';
import { findUserRules } from './user-rules.ts';

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
export function extractContent(
  input: SummaryInput,
  options: ExtractionOptions,
  count: (text: string) => number,
): SummaryContent {
  const { messages, previous, redact } = input;
  // What this strategy wrote are quotes: reading them once more cannot make them drift.
  const readsNarrative = input.usePreviousNarrative || previous?.strategy === strategyName;
  const memory = memoryTexts(readsNarrative ? previous : undefined);
  const userTurns = memory.userTurns + messages.filter(({ role }) => role === 'user').length;
  const hasBullets = userTurns >= options.minUserTurns;
  const texts = [
    ...memory.texts.map((text) => ({ ...text, bullet: hasBullets && text.bullet === true })),
    ...sourceTexts(messages, redact).map((text) => ({
      ...text,
      bullet: hasBullets && text.role === 'user',
    })),
  ];
  const uses = toolUses(messages, { ...options, redact });
  const toolLines = uses
    .slice(-maxToolLines)
    .toReversed()
    .map(({ use, index }): SummaryUnit & { readonly failed: boolean } => {
      const summary = summarizeToolUse(use, options.extractors);
      const text = renderToolSummary(summary);
      return { type: 'line', index, text, failed: summary.status === 'error' };
    });
  const { decisions, tasks, unresolved } = findStatements(texts);
  const old = previous?.context;
  const rules = findUserRules(texts, old?.constraints ?? []);
  const textsOf = (isRemark: boolean): readonly string[] =>
    rules.filter((rule) => rule.isRemark === isRemark).map(({ text }) => text);
  const keyPoints = findKeyPoints(texts);
  const artifacts = touchedFiles(uses);
  const budget = summaryBudget(input, count);
  const units = planUnits(
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
  );
  const compose = (chosen: readonly SummaryUnit[]): SummaryContent => {
    const content = composeContent(chosen, texts);
    return content.summary === '' ? { ...content, summary: fewUserTurns } : content;
  };
  return fitUnits(units, compose, budget) ?? emptyContent(omittedSummary);
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
