import { estimateTokens } from '../../tokens/text-counter.ts';
import { noNarrative } from '../../composing/render-summary.ts';
import { defaultPriority, priorityOf } from '../../selection/conversation-view.ts';
import { pause } from '../../util/async/time-slices.ts';
import { asOneLine, cutAtWord, sentencesOf } from '../texts.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { renderToolSummary } from '../tool-summary.ts';
import type { MessageText } from '../messages/read-messages.ts';
import { toolFactsOf, type ToolFacts, type ToolTelling } from './tool-facts.ts';
import { toolUses } from './tool-uses.ts';

/** Stands where there are fewer messages of the user than the option asks for. */
export const fewUserTurns = '• (few user messages)';

/** A line of what was done and answered, or of an earlier record's narrative. */
export interface MinutesUnit {
  readonly line: string;
  /** Its place in the conversation; lines of one text are joined. */
  readonly index: number;
  /** Whether somebody says it: such lines of one message stand on one. */
  readonly isSpoken: boolean;
  readonly tokens: number;
  readonly rank: number;
}

/** What is told first: what the caller raises above its kind; what failed and stayed so; then the newest. */
const errorRank = 0.5;

/** What tells of values is more likely to be asked for than what tells of none, the more of them the better. */
const valueRank = 0.25;

/** Characters of a line, and lines of one text of the assistant: further ones are passed over. */
const lineCharacters = 240;
const wholeLineCharacters = 120;
const linesOfText = 40;

/** Who says a line, and what stands between several that are said in one message. */
const speaker = 'assistant: ';
const omission = ' … ';

/** Tool calls that are told of, texts of the assistant that are read, and characters of a narrative. */
const mostUses = 300;
const mostTexts = 300;
const mostNarrativeCharacters = 100_000;

/**
 * Reads what was done, a line for each call that says something, and what the assistant said, in whole lines, behind
 * the lines of earlier minutes.
 */
export async function minutesUnits(
  input: SummaryInput,
  texts: readonly MessageText[],
  earlier: string,
  options: ToolTelling,
): Promise<readonly MinutesUnit[]> {
  const { messages, redact, priority } = input;
  const given = priorityOf(priority);
  const raised = (index: number): number => {
    const message = messages[index];
    return priority === undefined || message === undefined
      ? 0
      : given(message) - defaultPriority(message);
  };
  const uses = (await toolUses(messages, { ...options, redact })).slice(-mostUses);
  const calls: { readonly facts: ToolFacts; readonly index: number }[] = [];
  for (const { use, index } of uses) {
    // Extractors run expressions over all that tools have answered: a second for two megabytes.
    calls.push({ facts: toolFactsOf(use, options.extractors), index });
    await pause();
  }
  const spoken = texts
    .filter(({ role }) => role === 'assistant')
    .slice(-mostTexts)
    .flatMap(({ index, text }) =>
      linesOf(text).map((line) => unitOf(line, index, raised(index) + densityOf(line), true)),
    );
  const done = callLines(calls).map(({ line, index, isError }) =>
    unitOf(line, index, raised(index) + (isError ? errorRank : valueRank)),
  );
  return [
    ...earlierUnits(earlier),
    ...[...spoken, ...done].toSorted((one, other) => one.index - other.index),
  ];
}

/** A number, or what a line says behind a name in the end: `package.json: type: module`. */
const statedValue = /\p{N}+(?:[.,:]\p{N}+)*|(?<=: )[\p{L}_-]{2,40}$/gu;

/** From `valueRank` on where a line states values, the more the fewer tokens it takes for them. */
function densityOf(line: string): number {
  const values = line.match(statedValue)?.length ?? 0;
  return values === 0 ? 0 : valueRank + Math.min(valueRank, values / estimateTokens(line)) / 2;
}

function unitOf(line: string, index: number, rank: number, isSpoken = false): MinutesUnit {
  return { line, index, rank, isSpoken, tokens: 2 + estimateTokens(line) };
}

function earlierUnits(earlier: string): readonly MinutesUnit[] {
  const lines = earlier.slice(0, mostNarrativeCharacters).split('\n');
  return lines
    .filter((line) => line.trim() !== '' && line !== noNarrative && line !== fewUserTurns)
    .flatMap((line, place) => {
      const index = place - lines.length;
      if (!line.startsWith(speaker))
        return [unitOf(line, index, /^\[?[✓❌◐]/u.test(line) ? valueRank : densityOf(line))];
      const said = line.slice(speaker.length).split(omission);
      return said.map((each) => unitOf(each, index, densityOf(each), true));
    });
}

/** The lines of a text that say something: markup and fences do not. */
function linesOf(text: string): readonly string[] {
  return text
    .slice(0, linesOfText * lineCharacters)
    .split('\n')
    .flatMap((line) =>
      line.length <= wholeLineCharacters
        ? [line]
        : sentencesOf(line).map(({ start, end }) => line.slice(start, end)),
    )
    .map((line) => cutAtWord(asOneLine(line.replaceAll('**', '')), lineCharacters))
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:```|~~~|<\/?[\w-]+>$)/.test(line))
    .slice(0, linesOfText);
}

/** A line for each call, with how it ended; of calls that say the same the last tells, and how often. */
function callLines(
  calls: readonly { readonly facts: ToolFacts; readonly index: number }[],
): readonly { readonly line: string; readonly index: number; readonly isError: boolean }[] {
  const lines: { line: string; index: number; isError: boolean }[] = [];
  const succeeded = new Set<string>();
  const newestFirst = Map.groupBy(calls.toReversed(), ({ facts }) => renderToolSummary(facts));
  for (const { 0: last, length: times } of newestFirst.values()) {
    if (last === undefined || last.facts.keyFacts.length === 0) continue;
    const { facts, index } = last;
    const { toolName, status, keyFacts } = facts;
    const subject = `${toolName}:${keyFacts[0]}`;
    const isMended = status === 'error' && succeeded.has(subject);
    if (status !== 'error') succeeded.add(subject);
    const told = [
      ...keyFacts,
      ...(times > 1 ? [`${times} times`] : []),
      ...(isMended ? ['worked later'] : []),
    ];
    const line = renderToolSummary({ ...facts, keyFacts: told });
    lines.unshift({ line, index, isError: status === 'error' && !isMended });
  }
  return lines;
}

/**
 * Picks lines beside those that are picked already: by their rank, of equal ones the newest first, as far as they fit.
 *
 * @returns All that are picked, in their order, and the tokens of those that are new.
 */
export function pickUnits(
  units: readonly MinutesUnit[],
  maxTokens: number,
  already: readonly MinutesUnit[] = [],
): { readonly units: readonly MinutesUnit[]; readonly tokens: number } {
  let left = maxTokens;
  const picked = new Set(already);
  for (const unit of units.toReversed().toSorted((one, other) => other.rank - one.rank)) {
    if (unit.tokens > left || picked.has(unit)) continue;
    left -= unit.tokens;
    picked.add(unit);
  }
  return { units: units.filter((unit) => picked.has(unit)), tokens: maxTokens - left };
}

/** Writes lines; what the assistant said in one message stands on one. */
export function writeUnits(units: readonly MinutesUnit[]): readonly string[] {
  const lines: string[] = [];
  let spoken: number | undefined;
  for (const { line, index, isSpoken } of units) {
    if (isSpoken && spoken === index) lines.push(`${lines.pop() ?? ''}${omission}${line}`);
    else lines.push(isSpoken ? `${speaker}${line}` : line);
    spoken = isSpoken ? index : undefined;
  }
  return lines;
}
