import { omittedSummary } from '../../injection/render-summary.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { findStatements } from './find-statements.ts';
import { fewUserTurns, memoryTexts } from './memory-texts.ts';
import { longestFitting, planUnits } from './plan-units.ts';
import { sourceTexts } from './source-texts.ts';
import { summaryBudget } from './summary-budget.ts';
import { composeContent, type SummaryUnit, type TextField } from './summary-unit.ts';
import { renderToolSummary, type ToolExtractor } from './tool-summary.ts';
import { summarizeToolUse, toolUses } from './tool-uses.ts';
import { touchedFiles } from './touched-files.ts';
import { findUserRules } from './user-rules.ts';

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
  // Quotes, not a model's narrative: reading them once more cannot make them drift.
  const memory = memoryTexts(previous);
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
  const rules = findUserRules(texts).map(({ text }) => text);
  const budget = summaryBudget(input, count);
  const units = planUnits(
    {
      texts,
      artifacts: items('domainEntities', touchedFiles(uses), []),
      rules: items('constraints', rules, old?.constraints ?? []),
      statements: [
        ...items('decisions', decisions, old?.decisions ?? []),
        ...actions(tasks, old?.actionItems ?? []),
        ...items('unresolved', unresolved, old?.unresolved ?? []),
      ],
      inherited: [
        ...items('keyPoints', [], previous?.keyPoints ?? []),
        ...items('domainEntities', [], old?.domainEntities ?? []),
        ...items('participants', [], old?.participants ?? []),
      ],
      toolLines: [
        ...toolLines.filter(({ failed }) => failed),
        ...toolLines.filter(({ failed }) => !failed),
        ...memory.lines,
      ],
      placeholder: hasBullets ? [] : [{ type: 'line', index: -1, text: fewUserTurns }],
    },
    budget,
  );
  const compose = (chosen: readonly SummaryUnit[]): SummaryContent => {
    const content = composeContent(chosen, texts);
    return content.summary === '' ? { ...content, summary: fewUserTurns } : content;
  };
  return longestFitting(units, compose, budget.fits) ?? emptyContent(omittedSummary);
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

function actions(
  added: readonly string[],
  old: readonly ActionItem[],
): readonly SummaryUnit[] {
  const seen = new Map<string, ActionItem>();
  for (const item of [...added.map((task) => ({ task })), ...old])
    if (!seen.has(sameness(item.task))) seen.set(sameness(item.task), item);
  return [...seen.values()].map((item) => ({ type: 'action', item }));
}

function sameness(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
