import {
  noNarrative,
  omittedSummary,
  renderSummary,
  dearestId,
} from '../../composing/render-summary.ts';
import {
  carriedItems,
  contentOf,
  contentText,
  emptiedContent,
  emptyContent,
  itemsOf,
  type ContentItem,
} from '../../record/content-items.ts';
import { modelOrigin } from '../../record/item-origin.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { countText, estimateTokens } from '../../tokens/text-counter.ts';
import { tokenMultiplierOf } from '../../tokens/model-family.ts';
import { messagePositions } from '../message-positions.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { userMessages, userQuoter } from '../user-words.ts';
import { findIdentifiers } from './find-identifiers.ts';
import {
  identifierTokens,
  rankIdentifiers,
  readIdentifiers,
  writeIdentifiers,
  type ListedIdentifier,
} from './identifiers.ts';
import { messageTexts, type MessageText } from '../messages/read-messages.ts';
import { fewUserTurns, minutesUnits, pickUnits, writeUnits } from './minutes.ts';
import type { ToolTelling } from './tool-facts.ts';

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
  const given = contentOf({ summary: opening }, carriedItems(old));
  // What this strategy wrote are quotations: reading them once more cannot make them drift.
  const isRead = usePreviousNarrative || previous?.strategy === 'rule-based';
  const earlier = isRead ? `${previous?.summary ?? ''}\n${previous?.minutes ?? ''}` : '';
  const filled = await fillRecord(input, given, earlier, options);
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
 * @returns `undefined` where nothing fits.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export async function fillRecord(
  input: SummaryInput,
  given: SummaryContent,
  earlier: string,
  telling: ToolTelling,
): Promise<SummaryContent | undefined> {
  const { messages, previous, redact, maxSummaryTokens, model, usePreviousNarrative } = input;
  const texts = await messageTexts(messages, redact);
  const userSaid = userMessages(texts, previous, messagePositions(input));
  const units = await minutesUnits(input, texts, earlier, telling);
  const lists = itemsOf(given);
  const listed = lists.domainEntities.map(({ item }) => readIdentifiers(item));
  // One identifier may be what a model named; what code has written is weighed anew.
  const least = previous?.strategy === 'rule-based' ? 1 : 2;
  const names = lists.domainEntities.filter((_, index) => (listed[index]?.length ?? 0) < least);
  const ranked = await rankIdentifiers(
    [...earlierTexts(previous), ...texts],
    listed.filter((each) => (each?.length ?? 0) >= least).flatMap((each) => each ?? []),
  );
  const depth = previous !== undefined && usePreviousNarrative ? previous.depth + 1 : 0;
  const multiplier = input.tokenMultiplier ?? tokenMultiplierOf(model);
  const most = Math.floor((maxSummaryTokens - frameTokens) / multiplier);
  const base = contentOf(given, { ...lists, domainEntities: names });

  const tokensOf = (content: SummaryContent): Promise<number> =>
    countText(renderSummary({ ...content, id: dearestId, depth }));
  const taken = await tokensOf(base);
  const empty = await tokensOf(emptyContent(noNarrative));
  const limit = most - empty;
  const room = Math.max(limit - (taken - empty), limit * (1 - givenShare));

  const whole = await countText(userSaid.map(({ item }) => item).join('\n'), limit);
  const quoteUser = userQuoter(userSaid, whole);

  const compose = (trial: number): SummaryContent => {
    const scaled = (limit * trial) / room;
    const share = (limit < roomyTokens ? userShare : roomyUserShare) * scaled;
    const words = quoteUser(Math.min(trial, share), trial);
    const isWhole = words === userSaid;
    let left = trial - (isWhole ? whole : sizeOf(words));
    const ownShare = limit < comfortableRoom ? 0 : minutesShare * scaled;
    const first = pickUnits(units, Math.min(ownShare, left));
    left -= first.tokens;
    const told = [contentText(base), ...words.map(({ item }) => item), ...writeUnits(first.units)];
    const identifiers = withoutSaid(ranked, told, left);
    left -= identifiers.reduce((sum, each) => sum + identifierTokens(each), 0);
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
function earlierTexts(previous: SummaryInput['previous']): readonly MessageText[] {
  const { summary = '', minutes = '', context: { userWords = [] } = {} } = previous ?? {};
  const lines = [...userWords, ...`${summary}\n${minutes}`.split('\n')];
  return lines.map((text) => ({ index: -1, role: 'user', text }));
}

function sizeOf(items: readonly ContentItem[]): number {
  return items.reduce((sum, { item }) => sum + 1 + estimateTokens(item), 0);
}

/** The first identifiers that no text says, as many as fit; the name of a field that heads others is not one of them. */
function withoutSaid(
  ranked: readonly ListedIdentifier[],
  texts: readonly string[],
  maxTokens: number,
): readonly ListedIdentifier[] {
  const said = new Set<string>();
  for (const text of texts)
    findIdentifiers(text, (_, start, end) => said.add(text.slice(start, end)));
  const within = (): readonly ListedIdentifier[] => {
    let left = maxTokens;
    return ranked.filter((each) => {
      const tokens = identifierTokens(each);
      if (said.has(each.text) || tokens > left) return false;
      left -= tokens;
      return true;
    });
  };
  for (const { group } of within()) said.add(group);
  return within();
}
