import type { ActionItem, SummaryContent } from '../../record/summary-record.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';
import { narrativeLines } from './narrative.ts';
import type { SourceText } from './texts/source-texts.ts';
import type { TextWindow } from './terms/window-candidates.ts';

/** A list of a record that holds texts. */
export type TextField =
  | 'keyPoints'
  | 'participants'
  | 'decisions'
  | 'unresolved'
  | 'domainEntities'
  | 'constraints';

/** The smallest thing that a summary takes or leaves. */
export type SummaryUnit =
  | { readonly type: 'item'; readonly field: TextField; readonly text: string }
  | { readonly type: 'action'; readonly item: ActionItem }
  /** A line of its own in the narrative, behind the texts of a message. */
  | { readonly type: 'line'; readonly index: number; readonly text: string }
  | { readonly type: 'window'; readonly window: TextWindow };

/** Key points a record may hold; see `SummaryContent`. */
const maxKeyPoints = 30;

/** Puts units together: lists in the order of the units, the narrative in that of the conversation. */
export function composeContent(
  units: readonly SummaryUnit[],
  texts: readonly SourceText[],
): SummaryContent {
  const items = (field: TextField): readonly string[] =>
    units.flatMap((unit) => (unit.type === 'item' && unit.field === field ? [unit.text] : []));
  const windows = units.flatMap((unit) => (unit.type === 'window' ? [unit.window] : []));
  const lines = units.flatMap((unit) => (unit.type === 'line' ? [unit] : []));
  const quoted = narrativeLines(texts, windows).map(({ source, text }) => ({
    index: texts[source]?.index ?? 0,
    text: texts[source]?.bullet === true ? `• ${text}` : text,
  }));
  const narrative = [...quoted, ...lines].toSorted((left, right) => left.index - right.index);
  return {
    summary: narrative.map(({ text }) => text).join('\n'),
    keyPoints: items('keyPoints').slice(0, maxKeyPoints),
    context: {
      participants: items('participants'),
      decisions: items('decisions'),
      actionItems: units.flatMap((unit) => (unit.type === 'action' ? [unit.item] : [])),
      unresolved: items('unresolved'),
      domainEntities: items('domainEntities'),
      constraints: items('constraints'),
    },
  };
}

/** The words of a unit that stand in no source text of their own. */
export function unitText(unit: SummaryUnit): string {
  if (unit.type === 'window') return '';
  return unit.type === 'action' ? unit.item.task : unit.text;
}

/** Tokens around a text in a list or on a line of its own. */
export const frameTokens = 2;

const charactersPerToken = 4;

/** Estimated tokens of a unit. */
export function unitTokens(unit: SummaryUnit): number {
  if (unit.type !== 'window') return frameTokens + estimateTokens(unitText(unit));
  return frameTokens + (unit.window.end - unit.window.start) / charactersPerToken;
}
