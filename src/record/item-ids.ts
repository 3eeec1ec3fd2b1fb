import { escapeJson } from '../util/json.ts';
import type { ActionItem, SummaryContent } from './summary-record.ts';

/** Letter that begins the ids of a list's items: `k0` is the first key point. */
const prefixes = {
  keyPoints: 'k',
  participants: 'p',
  decisions: 'd',
  actionItems: 'a',
  unresolved: 'u',
  domainEntities: 'e',
  constraints: 'c',
} as const;

/** The id a model uses to speak of an item of the previous record. */
export function itemId(field: keyof typeof prefixes, index: number): string {
  return `${prefixes[field]}${index}`;
}

/** Writes the previous record for a model: one line of JSON, every item under its id. */
export function renderPrior(
  content: SummaryContent,
  withNarrative: boolean,
  clean: (text: string) => string,
): string {
  const withIds = (field: keyof typeof prefixes, items: readonly (string | ActionItem)[]): object =>
    Object.fromEntries(items.map((item, index) => [itemId(field, index), cleanItem(item, clean)]));
  const { keyPoints, context } = content;
  return escapeJson({
    ...(withNarrative ? { summary: clean(content.summary) } : {}),
    keyPoints: withIds('keyPoints', keyPoints),
    participants: withIds('participants', context.participants),
    decisions: withIds('decisions', context.decisions),
    actionItems: withIds('actionItems', context.actionItems),
    unresolved: withIds('unresolved', context.unresolved),
    domainEntities: withIds('domainEntities', context.domainEntities),
    constraints: withIds('constraints', context.constraints),
    // Without ids: no answer of a model ends them.
    userWords: (context.userWords ?? []).map(clean),
  });
}

function cleanItem(
  item: string | ActionItem,
  clean: (text: string) => string,
): string | ActionItem {
  if (typeof item === 'string') return clean(item);
  return {
    ...(item.owner === undefined ? {} : { owner: clean(item.owner) }),
    task: clean(item.task),
    ...(item.due === undefined ? {} : { due: clean(item.due) }),
  };
}
