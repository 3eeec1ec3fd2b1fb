import {
  dearestId,
  noNarrative,
  omittedSummary,
  renderSummary,
} from '../../composing/render-summary.ts';
import {
  carriedItems,
  type ContentItem,
  contentOf,
  contentText,
  emptiedContent,
  emptyContent,
  itemsOf,
  textsOf,
} from '../../record/content-items.ts';
import { type SummaryContent, modelOrigin } from '../../record/summary-record.ts';
import { defaultPriority, priorityOf } from '../../selection/conversation-view.ts';
import { tokenMultiplierOf } from '../../tokens/model-family.ts';
import { countText, estimateTokens } from '../../tokens/text-counter.ts';
import { pause } from '../../util/async/waiting.ts';
import {
  messagePositions,
  type TranscriptPart,
  transcriptParts,
} from '../messages/read-messages.ts';
import type { SummaryInput, ToolSummary } from '../summary-strategy.ts';
import { asOneLine, cutAtWord, sentencesOf } from '../texts.ts';
import { userMessages, userQuoter } from './user-words.ts';
import {
  findIdentifiers,
  type ListedIdentifier,
  type RankedIdentifier,
  rankIdentifiers,
  readIdentifiers,
  writeIdentifiers,
} from './identifiers.ts';
import { renderToolSummary, toolFactsOf, type ToolTelling, toolUses } from './tool-facts.ts';

/** The options of the strategy, none left out. */
export interface RuleOptions extends ToolTelling {
  readonly minUserTurns: number;
}

/** Shares of a record: the user's words, in one of so many tokens a larger one; minutes. */
const userShare = 0.4;
const roomyUserShare = 0.6;
const roomyTokens = 400;
const minutesShare = 0.1;

/** What of a record the lists that it begins with may take at most, beside what is added. */
const givenShare = 0.6;

/** Tokens of room from which minutes have a share of their own, and it is said that the user said little. */
const comfortableRoom = 300;

/** Tokens for the frame of a message, and those that a provider may take beyond. */
const frameTokens = 8;

/** Trials to fill a budget: each is an exact count. */
const mostTrials = 6;

/** By how much less is tried at least after what was too much. */
const leastStep = 0.95;

/** Share of the room that may stay empty. */
const tolerance = 0.02;

/**
 * Writes a record by code alone: the lists of the record that is continued, and what {@link fillRecord} adds. What it
 * returns fits its budget.
 */
export async function writeByRules(
  input: SummaryInput,
  options: RuleOptions,
): Promise<SummaryContent> {
  const { previous, usePreviousNarrative } = input;
  const old = itemsOf(previous ?? emptyContent(''));
  const turns = input.messages.filter(({ role }) => role === 'user').length;
  const isFew = turns + old.userWords.length < options.minUserTurns;
  const opening = isFew && input.maxSummaryTokens >= comfortableRoom ? fewUserTurns : noNarrative;
  const given = contentOf({ summary: opening, plan: input.plan }, carriedItems(old));
  // What this strategy wrote are quotations: reading them once more cannot make them drift.
  const isRead = usePreviousNarrative || previous?.strategy === 'rule-based';
  const earlier = isRead ? `${previous?.summary ?? ''}\n${previous?.minutes ?? ''}` : '';
  const filled = await fillRecord(input, given, earlier, options, 1 - givenShare);
  if (filled === undefined) return emptiedContent(omittedSummary, given);
  const { minutes, ...content } = filled;
  if (minutes === undefined) return content;
  return { ...content, summary: opening === noNarrative ? minutes : `${opening}\n${minutes}` };
}

/**
 * Adds to a record what code can say, as far as there is room: the user's words, minutes of what was done and answered,
 * and the identifiers that are likely to be needed.
 *
 * @param given - What the record says already.
 * @param earlier - Minutes of earlier messages.
 * @param leastShare - Share of the budget that is filled although the record takes more.
 * @returns `undefined` where nothing fits.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export async function fillRecord(
  input: SummaryInput,
  given: SummaryContent,
  earlier: string,
  telling: ToolTelling,
  leastShare = 0,
): Promise<SummaryContent | undefined> {
  const { messages, previous, redact, maxSummaryTokens, model, usePreviousNarrative } = input;
  const texts = await transcriptParts(messages, redact, true);
  const userSaid = userMessages(texts, previous, messagePositions(input));
  const units = await minutesUnits(input, texts, earlier, telling);
  const lists = itemsOf(given);
  // One identifier may be what a model named; what code has written is weighed anew.
  const least = previous?.strategy === 'rule-based' ? 1 : 2;
  const names: ContentItem[] = [];
  const listed: ListedIdentifier[] = [];
  for (const entity of lists.domainEntities) {
    const read = readIdentifiers(entity.item) ?? [];
    if (read.length < least) names.push(entity);
    else listed.push(...read);
  }
  const ranked = await rankIdentifiers([...earlierTexts(previous), ...texts], listed);
  const depth = previous !== undefined && usePreviousNarrative ? previous.depth + 1 : 0;
  const multiplier = input.tokenMultiplier ?? tokenMultiplierOf(model);
  const most = Math.floor((maxSummaryTokens - frameTokens) / multiplier);
  const base = contentOf(given, { ...lists, domainEntities: names });

  const tokensOf = (content: SummaryContent): Promise<number> =>
    countText(renderSummary({ ...content, id: dearestId, depth }));
  const taken = await tokensOf(base);
  const empty = await tokensOf(emptyContent(noNarrative));
  const limit = most - empty;
  const room = Math.max(limit - (taken - empty), limit * leastShare);
  if (room <= 0) return undefined;

  const whole = await countText(textsOf(userSaid).join('\n'), limit);
  const quoteUser = await userQuoter(userSaid, whole);

  const compose = (trial: number): SummaryContent => {
    const scaled = (limit * trial) / room;
    const share = (limit < roomyTokens ? userShare : roomyUserShare) * scaled;
    const words = quoteUser(Math.min(trial, share), trial);
    const isWhole = words === userSaid;
    let left = trial - (isWhole ? whole : sizeOf(words));
    const ownShare = limit < comfortableRoom ? 0 : minutesShare * scaled;
    const first = pickUnits(units, Math.min(ownShare, left));
    left -= first.tokens;
    const told = [contentText(base), ...textsOf(words), ...writeUnits(first.units)];
    const identifiers = withoutSaid(ranked, told, left);
    for (const { tokens } of identifiers) left -= tokens;
    const picked = pickUnits(units, left, first.units);
    left -= picked.tokens;
    const filled = sizeOf(words) + left;
    const userWords = left > 0 && !isWhole ? quoteUser(filled, filled) : words;
    const lines = writeUnits(picked.units);
    // A line of several messages names none of them.
    const added = writeIdentifiers(identifiers).map((item) => ({ item, origin: modelOrigin }));
    return contentOf(
      { ...base, minutes: lines.length === 0 ? undefined : lines.join('\n') },
      { ...itemsOf(base), userWords, domainEntities: [...names, ...added] },
    );
  };

  return fillRoom(compose, tokensOf, { room, most: taken + room });
}

/** Composes for so much room that an exact count comes close to what may be taken: sizes are estimates until then. */
async function fillRoom(
  compose: (room: number) => SummaryContent,
  tokensOf: (content: SummaryContent) => Promise<number>,
  { room, most }: { readonly room: number; readonly most: number },
): Promise<SummaryContent | undefined> {
  let best: SummaryContent | undefined;
  let fitting = 0;
  let tooMuch = Number.POSITIVE_INFINITY;
  for (let trial = room, trials = 0; trials < mostTrials || best === undefined; trials += 1) {
    await pause();
    const content = compose(trial);
    const left = most - (await tokensOf(content));
    if (left >= 0) {
      best = content;
      fitting = trial;
      if (left <= tolerance * room) break;
    } else tooMuch = trial;
    const next = left < 0 ? Math.min(trial + left, leastStep * trial) : trial + left;
    trial = Math.floor(next > fitting && next < tooMuch ? next : (fitting + tooMuch) / 2);
    if (trial <= fitting) break;
  }
  return best;
}

/** What an earlier record says beside its list: what is quoted there may be quoted shorter now. It says it but once. */
function earlierTexts(previous: SummaryInput['previous']): readonly TranscriptPart[] {
  const { summary = '', minutes = '', context: { userWords = [] } = {} } = previous ?? {};
  const lines = [...userWords, ...`${summary}\n${minutes}`.split('\n')];
  return lines.map((text) => ({ index: -1, role: 'user', kind: 'text', text }));
}

function sizeOf(items: readonly ContentItem[]): number {
  return items.reduce((sum, { item }) => sum + 1 + estimateTokens(item), 0);
}

/** The first identifiers that no text says, as many as fit; the name of a field that heads others is not one of them. */
function withoutSaid(
  ranked: readonly RankedIdentifier[],
  texts: readonly string[],
  maxTokens: number,
): readonly RankedIdentifier[] {
  const said = new Set<string>();
  for (const text of texts)
    findIdentifiers(text, (_, start, end) => said.add(text.slice(start, end)));
  const within = (): readonly RankedIdentifier[] => {
    const picked: RankedIdentifier[] = [];
    let left = maxTokens;
    for (const each of ranked) {
      if (said.has(each.text) || each.tokens > left) continue;
      left -= each.tokens;
      picked.push(each);
    }
    return picked;
  };
  for (const { group } of within()) said.add(group);
  return within();
}

/** Stands where there are fewer messages of the user than the option asks for. */
const fewUserTurns = '• (few user messages)';

/** A line of what was done and answered, or of an earlier record's narrative. */
interface MinutesUnit {
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
async function minutesUnits(
  input: SummaryInput,
  texts: readonly TranscriptPart[],
  earlier: string,
  options: ToolTelling,
): Promise<readonly MinutesUnit[]> {
  const { messages, redact } = input;
  const given = priorityOf(input.priority);
  const raised = (index: number): number => {
    const message = messages[index];
    return message === undefined ? 0 : given(message) - defaultPriority(message);
  };
  const uses = (await toolUses(messages, { ...options, redact })).slice(-mostUses);
  const calls: { readonly facts: ToolSummary; readonly index: number }[] = [];
  for (const { use, index } of uses) {
    // Extractors run expressions over all that tools have answered: a second for two megabytes.
    const facts = toolFactsOf(use, options.extractors);
    const isLong = renderToolSummary(facts).length > input.maxSummaryTokens;
    calls.push({
      facts: isLong
        ? toolFactsOf({ ...use, preserveErrorDetails: false }, options.extractors)
        : facts,
      index,
    });
    await pause();
  }
  const units: MinutesUnit[] = [];
  const said = texts.filter(({ role, kind }) => role === 'assistant' && kind === 'text');
  for (const { index, text } of said.slice(-mostTexts))
    for (const line of linesOf(text))
      units.push(unitOf(line, index, raised(index) + densityOf(line), true));
  for (const { line, index, isError } of callLines(calls))
    units.push(unitOf(line, index, raised(index) + (isError ? errorRank : valueRank)));
  units.sort((one, other) => one.index - other.index);
  return [...earlierUnits(earlier), ...units];
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
  const units: MinutesUnit[] = [];
  const lines = earlier.slice(0, mostNarrativeCharacters).split('\n');
  for (const [place, line] of lines.entries()) {
    if (line.trim() === '' || line === noNarrative || line === fewUserTurns) continue;
    const index = place - lines.length;
    if (line.startsWith(speaker))
      for (const said of line.slice(speaker.length).split(omission))
        units.push(unitOf(said, index, densityOf(said), true));
    else
      units.push(unitOf(line, index, /^(?:\[|[✓❌◐] )/u.test(line) ? valueRank : densityOf(line)));
  }
  return units;
}

/** The lines of a text that say something: markup and fences do not. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (const whole of text.slice(0, linesOfText * lineCharacters).split('\n'))
    for (const part of whole.length <= wholeLineCharacters ? [whole] : sentencesOf(whole)) {
      const line = cutAtWord(asOneLine(part.replaceAll('**', '')), lineCharacters);
      const isMarkup = /^(?:```|~~~|<\/?[\w-]+>$)/.test(line);
      if (/[\p{L}\p{N}]/u.test(line) && !isMarkup) lines.push(line);
    }
  return lines.slice(0, linesOfText);
}

/** A line for each call, with how it ended; of calls that say the same the last tells, and how often. */
function callLines(
  calls: readonly { readonly facts: ToolSummary; readonly index: number }[],
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
    if (status === 'success' || status === 'partial') succeeded.add(subject);
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
function pickUnits(
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
function writeUnits(units: readonly MinutesUnit[]): readonly string[] {
  const lines: string[] = [];
  let spoken: number | undefined;
  for (const { line, index, isSpoken } of units) {
    if (isSpoken && spoken === index) lines.push(`${lines.pop() ?? ''}${omission}${line}`);
    else lines.push(isSpoken ? `${speaker}${line}` : line);
    spoken = isSpoken ? index : undefined;
  }
  return lines;
}
