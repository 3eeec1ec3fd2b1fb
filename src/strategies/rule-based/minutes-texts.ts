import type { MinutesText } from './texts/minutes-text.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { statusMarks, toolFactsText, type ToolExtractors } from '../tool-summary.ts';
import { toolKindOf } from './extractors/find-extractor.ts';
import type { ToolFacts } from './extractors/tool-facts.ts';
import { summarizeToolUse, type PlacedToolUse } from './facts/tool-uses.ts';
import {
  assistantHead,
  bullet,
  callHead,
  isOfUser,
  type readNarrative,
  userHead,
} from './minutes.ts';
import type { SourceText } from './texts/source-texts.ts';

/** Tool calls whose facts are read out; older ones have their words alone. */
const maxToolUses = 300;

/** What minutes quote from, and which of it tells what was done. */
export interface MinutesTexts {
  readonly texts: readonly MinutesText[];
  /** Positions of the facts of tool calls among the texts, what matters most first. */
  readonly done: readonly number[];
}

interface MinutesForm {
  readonly hasBullets: boolean;
  readonly extractors: ToolExtractors;
  readonly slices: TimeSlices;
}

/** Puts texts on lines of their own, those of one tool call on one, with its outcome and facts in front. */
export async function minutesTexts(
  given: readonly SourceText[],
  earlier: Pick<ReturnType<typeof readNarrative>, 'texts' | 'lines'>,
  uses: readonly PlacedToolUse[],
  { hasBullets, extractors, slices }: MinutesForm,
): Promise<MinutesTexts> {
  const spoken = hasBullets ? bullet : userHead;
  const texts: MinutesText[] = earlier.texts.map((text) =>
    isOfUser(text) ? { ...text, head: spoken } : text,
  );
  const calls = await describedCalls(uses, extractors, slices);
  const done = factsAmong(texts);
  const lines = new Map<DescribedCall | string, Pick<MinutesText, 'line' | 'head' | 'isCall'>>();
  let line = earlier.lines;
  for (const text of given) {
    const { index, role, call } = text;
    if (call === undefined) {
      const head = role === 'user' ? spoken : assistantHead;
      texts.push({ ...text, line, head, isCall: false });
      line += 1;
      continue;
    }
    const key = callPlace(index, call.toolCallId);
    const described = calls.get(key);
    const mark = statusMarks[described?.facts.status ?? 'partial'];
    const ownLine = { line, head: callHead(mark, call.toolName), isCall: true };
    const place = lines.get(described ?? key) ?? ownLine;
    if (place.line === line) {
      line += 1;
      lines.set(described ?? key, place);
      if (described !== undefined && described.text !== '') {
        done.push({ source: texts.length, rank: described.rank });
        texts.push({ index, role: 'facts', text: described.text, isFacts: true, ...place });
      }
    }
    texts.push({ ...text, ...place });
  }
  const ranked = done.toReversed().toSorted((one, other) => other.rank - one.rank);
  return { texts, done: ranked.map(({ source }) => source) };
}

function factsAmong(texts: readonly MinutesText[]): { source: number; rank: number }[] {
  return [...texts.entries()]
    .filter(([, { isFacts }]) => isFacts)
    .map(([source, { head }]) => ({ source, rank: head.startsWith(statusMarks.error) ? 2 : 0 }));
}

interface DescribedCall {
  readonly facts: ToolFacts;
  readonly text: string;
  readonly rank: number;
}

function callPlace(index: number, toolCallId: string): string {
  return `${index}:${toolCallId}`;
}

/** What is told of calls, by the places of their calls and results. Of calls that say the same, the last tells. */
async function describedCalls(
  uses: readonly PlacedToolUse[],
  extractors: ToolExtractors,
  slices: TimeSlices,
): Promise<ReadonlyMap<string, DescribedCall>> {
  const described = new Map<string, DescribedCall>();
  const repeated = new Map<string, number>();
  const succeeded = new Set<string>();
  const all: (readonly [PlacedToolUse, ToolFacts])[] = [];
  for (const placed of uses.slice(-maxToolUses)) {
    const facts = summarizeToolUse(placed.use, extractors);
    const text = toolFactsText(facts);
    repeated.set(text, (repeated.get(text) ?? 0) + 1);
    all.push([placed, facts]);
    await slices.pause();
  }
  for (const [{ use, toolCallId, index, callIndex }, facts] of all.toReversed()) {
    const { toolName, status, keyFacts } = facts;
    const said = toolFactsText(facts);
    const times = repeated.get(said) ?? 0;
    repeated.delete(said);
    const subject = `${toolName}:${keyFacts[0] ?? ''}`;
    const isMended = status === 'error' && succeeded.has(subject);
    if (status !== 'error') succeeded.add(subject);
    const kind = toolKindOf(use.toolName, use.input);
    const changes = kind === 'edit' || kind === 'create';
    const notes = [times > 1 ? `${times} times` : '', isMended ? 'worked later' : ''];
    const call = {
      facts,
      // What was said by a later call says nothing here.
      text: times === 0 ? '' : [said, ...notes].filter(Boolean).join(' | '),
      rank: status === 'error' && !isMended ? 2 : Number(changes),
    };
    described.set(callPlace(index, toolCallId), call);
    described.set(callPlace(callIndex, toolCallId), call);
  }
  return described;
}
