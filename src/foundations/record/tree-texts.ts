import { activityTitle, itemsOf, planTitle, textsOf } from './content-items.ts';
import { fieldNames, itemText, recordFields, type RecordItem } from './record-fields.ts';
import type { HierarchicalSummary, SummaryContent, SummaryRecord } from './summary-record.ts';

/** A summary as Markdown for people: the narrative, then each list that holds something. */
function recordText(content: SummaryContent): string {
  const { summary, plan, activity } = content;
  const lists = itemsOf(content);
  const sections = fieldNames.map((name) => {
    const texts = textsOf<RecordItem>(lists[name]).map(itemText);
    return sectionOf(recordFields[name].title, texts);
  });
  return [
    summary,
    ...sections,
    sectionOf(planTitle, plan?.split('\n') ?? []),
    sectionOf(activityTitle, activity?.split('\n') ?? []),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function sectionOf(title: string, texts: readonly string[]): string {
  return texts.length === 0 ? '' : [`## ${title}`, '', ...texts.map(listItem)].join('\n');
}

function listItem(text: string): string {
  return `- ${text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')}`;
}

/** Makes a tree of a summary and the one that it continues. */
function treeOf(previous: SummaryRecord, l3Summary: string): HierarchicalSummary {
  const { inputTokens: sourceTokens, outputTokens: tokenCount } = previous.metrics;
  const content = recordText(previous);
  const node = { chunkIndex: 0, parentGroup: undefined, content, tokenCount, sourceTokens };
  return {
    l1Summaries: [node],
    l2Summaries: [],
    l3Summary,
    chunkSize: sourceTokens,
    chunkOverlap: 0,
  };
}

/** Makes the texts of a record for a tree store, with the record that it continues. */
export function treeTexts(
  record: SummaryContent,
  previous: SummaryRecord | undefined,
): { readonly summary: string; readonly hierarchical: HierarchicalSummary | undefined } {
  const summary = recordText(record);
  return { summary, hierarchical: previous && treeOf(previous, summary) };
}
