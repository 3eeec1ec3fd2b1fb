import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { Excerpt } from './texts/excerpt.ts';
import { looksLikeCode } from './texts/looks-like-code.ts';
import { identifierTokens, type ListedIdentifier } from './identifier-list.ts';
import { isOfUser } from './minutes.ts';
import { identifiersToList } from './identifiers-to-list.ts';
import { unitText, unitTokens, type SummaryUnit } from './summary-unit.ts';
import { scanTerms } from './terms/scan-terms.ts';
import { selectExcerpts } from './terms/select-excerpts.ts';
import { indexTerms, termKey, type TermIndex } from './terms/term-index.ts';
import { termWeigher, type Term } from './terms/term.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';
import type { MinutesText } from './texts/minutes-text.ts';
import { sameness } from './texts/sentences.ts';
import {
  foremostLists,
  otherLists,
  unitShares,
  type UnitList,
  type UnitSources,
} from './unit-sources.ts';

/** By how much the estimated size of excerpts may be off. */
const excerptMargin = 1.6;

/** What is left of the weight of a term for excerpts when it is listed: they tell what it is about. */
const listedExcerptWeight = 0.3;

/** User messages from which on a conversation without tools is a chat, and not the beginning of some work. */
const leastChatTurns = 3;

/**
 * Puts everything a summary could say in the order in which it is taken in, as many as fit: within their
 * shares files, rules, identifiers and what was said and done; then the other rules, excerpts by what they
 * say, and what their shares had no room for.
 */
export async function planUnits(
  sources: UnitSources,
  room: number,
  slices: TimeSlices,
): Promise<readonly SummaryUnit[]> {
  const { texts } = sources;
  const isAgent = isWork(texts);
  const shares = unitShares(room, isAgent);
  const picked = pickWithinShares(sources, shares, room);
  const taken = (lists: readonly UnitList[]): readonly SummaryUnit[] =>
    lists.flatMap((list) => picked.get(list)?.taken ?? []);
  const left = (lists: readonly UnitList[]): readonly SummaryUnit[] =>
    lists.flatMap((list) => picked.get(list)?.left ?? []);

  const index = await indexTerms(texts, slices);
  const weigh = termWeigher(isAgent);
  const words = taken([...foremostLists, ...otherLists]).map((unit) => unitWords(unit, texts));
  const said = termsIn(index, words);
  const identifiers = await identifiersToList(texts, index, { weigh, said, isAgent, slices });
  const listed = withinTokens(identifiers, identifierTokens, shares.identifiers * room);
  const listedTerms = new Set(listed.taken.map(({ term }) => term));
  const excerpts = await selectExcerpts(texts, index, {
    weigh: (term) => weigh(term) * (listedTerms.has(term) ? listedExcerptWeight : 1),
    maxTokens: room * excerptMargin,
    said,
    isQuotable: quotableOf(texts),
    slices,
  });
  const moreRules = left(['rules', 'remarks']);
  const rest = [...foremostLists, ...otherLists].filter(isRest);
  return [
    ...taken(foremostLists),
    ...listed.taken.map(identifierUnit),
    ...taken(otherLists),
    ...(isAgent ? moreRules : []),
    ...excerpts.map((excerpt): SummaryUnit => ({ type: 'excerpt', excerpt })),
    ...listed.left.map(identifierUnit),
    ...left(rest),
    ...(isAgent ? [] : moreRules),
  ];
}

/** A piece of code that somebody shows tells nothing, and its names are listed. */
function quotableOf(texts: readonly MinutesText[]): (excerpt: Excerpt) => boolean {
  return ({ source, start, end }) => {
    const { text = '', isCall } = texts[source] ?? {};
    return isCall === true || !looksLikeCode(text.slice(start, end));
  };
}

function isRest(list: UnitList): boolean {
  return list !== 'rules' && list !== 'remarks';
}

function isWork(texts: readonly MinutesText[]): boolean {
  return texts.some(({ isCall }) => isCall) || texts.filter(isOfUser).length < leastChatTurns;
}

interface Picked<Item> {
  readonly taken: readonly Item[];
  readonly left: readonly Item[];
  /** Tokens of those that are taken. */
  readonly size: number;
}

/** Parts items into those that fit into some tokens, each as it comes, and the others. */
function withinTokens<Item>(
  items: readonly Item[],
  tokensOf: (item: Item) => number,
  maxTokens: number,
): Picked<Item> {
  let room = maxTokens;
  const parts = Map.groupBy(items, (item) => {
    const tokens = tokensOf(item);
    const fits = tokens <= room;
    if (fits) room -= tokens;
    return fits;
  });
  return { taken: parts.get(true) ?? [], left: parts.get(false) ?? [], size: maxTokens - room };
}

/** Units of a list that are looked at: no summary has room for so many. */
const mostUnits = 500;

/** Gives every list its share; what is said as a request or a rule is not quoted beside it. */
function pickWithinShares(
  sources: UnitSources,
  shares: ReturnType<typeof unitShares>,
  room: number,
): ReadonlyMap<UnitList, Picked<SummaryUnit>> {
  const { texts } = sources;
  const said: string[] = [];
  let left = 0;
  const picked = new Map<UnitList, Picked<SummaryUnit>>();
  for (const list of [...foremostLists, ...otherLists]) {
    const units = sources[list]
      .slice(0, mostUnits)
      .filter((unit) => unit.type !== 'excerpt' || !isSaid(said, unitWords(unit, texts)));
    const share = list === 'remarks' ? left : shares[list] * room;
    const parts = withinTokens(units, (unit) => sizeOf(unit, texts), share);
    if (list === 'requests' || list === 'rules')
      said.push(...parts.taken.map((unit) => sameness(unitText(unit))));
    // Remarks have what rules leave of their share.
    left = share - parts.size;
    picked.set(list, parts);
  }
  return picked;
}

/** Characters from which on a part of another text repeats it: a shorter one may be an answer of its own. */
const leastRepeated = 24;

function isSaid(said: readonly string[], text: string): boolean {
  const words = sameness(text);
  return said.some(
    (other) => other === words || (words.length >= leastRepeated && other.includes(words)),
  );
}

function identifierUnit(identifier: ListedIdentifier): SummaryUnit {
  return { type: 'identifier', identifier };
}

/** The words of a unit, where they stand. */
function unitWords(unit: SummaryUnit, texts: readonly MinutesText[]): string {
  if (unit.type !== 'excerpt') return unitText(unit);
  const { source, start, end } = unit.excerpt;
  return texts[source]?.text.slice(start, end) ?? '';
}

function sizeOf(unit: SummaryUnit, texts: readonly MinutesText[]): number {
  return unit.type === 'excerpt' ? 4 + estimateTokens(unitWords(unit, texts)) : unitTokens(unit);
}

/** The terms of an index that some texts mention. */
function termsIn({ terms }: TermIndex, texts: readonly string[]): Set<Term> {
  const found = new Set<Term>();
  for (const text of texts)
    scanTerms(text, true, (kind, start, end) => {
      const term = terms.get(termKey(kind, text.slice(start, end)));
      if (term !== undefined) found.add(term);
    });
  return found;
}
