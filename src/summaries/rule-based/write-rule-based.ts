import {
  costliestId,
  emptyNarrative,
  omittedSummary,
  renderSummary,
} from '../../planning/composing/render-summary.ts';
import {
  type ContentItem,
  contentOf,
  contentText,
  emptiedContent,
  emptyContent,
  itemsOf,
} from '../../foundations/record/content-items.ts';
import { type SummaryContent, modelOrigin } from '../../foundations/record/summary-record.ts';
import { defaultPriority, priorityOf } from '../../planning/selection/conversation-view.ts';
import { tokenMultiplierOf } from '../../sizes/tokens/model-family.ts';
import { countText } from '../../sizes/tokens/text-counter.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import {
  messagePositions,
  type TranscriptPart,
  transcriptParts,
} from '../messages/read-messages.ts';
import {
  maxAskedTokens,
  type SummaryInput,
  type ToolResultOptions,
  type ToolSummary,
} from '../strategies/summary-strategy.ts';
import { asOneLine, cutAtWord, sentencesOf } from '../strategies/texts.ts';
import { wordsOf } from '../strategies/words.ts';
import { rankUnits, type Unit, makeUnit } from './rank-units.ts';
import { lowWeight, omission, quoted, userMessages } from './user-words.ts';
import {
  findIdentifiers,
  type ListedIdentifier,
  type RankedIdentifier,
  rankIdentifiers,
  readIdentifiers,
  writeIdentifiers,
} from './identifiers.ts';
import { renderToolSummary, toolFactsOf, toolUses } from './tool-facts.ts';

/** Worth of a user's sentence, as a multiple of another one's. */
const userWeight = 1.5;

/** Share of the room up to which the first message of the user is quoted before anything else. */
const firstShare = 0.3;

/** Shares of the room: for user quotes, whole if they fit into that; for names alone, which take fewer tokens than lines. */
const shares = { rules: { user: 0.7, names: 0.25 }, model: { user: 0.85, names: 0.1 } };

/** Tokens up to which the user's sentences go before others: beyond that, findings are asked for as well. */
const mostUserTokens = 450;

/** Share of the budget for additions to a record without a model, although its lists take more. */
const leastShare = 0.4;

/** Least tokens of a summary that notes that there are few user messages. */
const comfortableRoom = 300;

/** Share of what a model is asked for that makes its answer a whole record. */
const wholeShare = 0.5;

/** Tokens for the frame of a message, and those that a provider may take beyond. */
const frameTokens = 8;

/** Trials to fill a budget: each is an exact count. */
const mostTrials = 6;

/** Largest factor for the next trial after one that was too much. */
const leastStep = 0.95;

/** Share of the room that may stay empty. */
const tolerance = 0.02;

/**
 * Writes a record by code alone: the lists of the record that is continued, and what {@link fillRecord} adds. The
 * result fits its budget.
 */
export async function writeRuleBased(
  input: SummaryInput,
  toolResults: ToolResultOptions = {},
  minUserTurns = 0,
): Promise<SummaryContent> {
  const old = itemsOf(input.previous ?? emptyContent(''));
  const turns = input.messages.filter(({ role }) => role === 'user').length;
  const isFew = turns + old.userQuotes.length < minUserTurns;
  const opening =
    isFew && input.maxSummaryTokens >= comfortableRoom ? fewUserTurns : emptyNarrative;
  const given = contentOf({ summary: opening, plan: input.plan }, { ...old, userQuotes: [] });
  const filled = await fillRecord(input, given, toolResults, false);
  if (filled === undefined) return emptiedContent(omittedSummary, given);
  const { activity, ...content } = filled;
  if (activity === undefined) return content;
  return { ...content, summary: opening === emptyNarrative ? activity : `${opening}\n${activity}` };
}

/**
 * Returns the texts of an earlier record that the new activity log goes on with: the narrative in a record without a
 * model, and the log, without quotes of messages if none are allowed. The rule-based summarizer writes quotations, which
 * do not drift when they are read again.
 */
function earlierLog(
  { previous, usePreviousNarrative, userQuotes = true }: SummaryInput,
  isOfModel: boolean,
): string {
  const { summary = '', activity = '', strategy } = previous ?? {};
  const isOfRules = strategy === 'rule-based';
  const isTold = !isOfModel && (isOfRules ? userQuotes : usePreviousNarrative);
  const isRead = userQuotes && (isOfModel || isOfRules || usePreviousNarrative);
  return `${isTold ? summary : ''}\n${isRead ? activity : ''}`;
}

/**
 * Adds to a record what code can say, as far as there is room: user quotes, an activity log, and the identifiers that
 * are likely to be needed. A whole record of a model gets no more than the tokens that the model was asked for.
 *
 * @param given - The record so far.
 * @param isOfModel - Whether a model wrote the record; else it is given room although its lists take more.
 * @returns `undefined` where nothing fits.
 */
export async function fillRecord(
  input: SummaryInput,
  given: SummaryContent,
  toolResults: ToolResultOptions,
  isOfModel: boolean,
): Promise<SummaryContent | undefined> {
  const { messages, previous, redact, model, usePreviousNarrative, userQuotes = true } = input;
  const texts = await transcriptParts(messages, redact, true);
  const said = userQuotes
    ? await userMessages(texts, previous, messagePositions(input), userWeight)
    : [];
  const lines = [
    ...earlierUnits(earlierLog(input, isOfModel)),
    ...(userQuotes ? await activityUnits(input, texts, toolResults) : []),
  ];
  const lists = itemsOf(given);
  // A single identifier may be an item of a model; lists that code has written are ranked anew.
  const leastListed = previous?.strategy === 'rule-based' ? 1 : 2;
  const names: ContentItem[] = [];
  const listed: ListedIdentifier[] = [];
  for (const entity of lists.domainEntities) {
    const read = readIdentifiers(entity.item) ?? [];
    if (read.length < leastListed) names.push(entity);
    else listed.push(...read);
  }
  const ranked = await rankIdentifiers([...earlierTexts(previous), ...texts], listed);
  const depth = previous !== undefined && usePreviousNarrative ? previous.depth + 1 : 0;
  const multiplier = input.tokenMultiplier ?? tokenMultiplierOf(model);
  const most = Math.floor((input.maxSummaryTokens - frameTokens) / multiplier);
  const base = contentOf(given, { ...lists, domainEntities: names });

  const tokensOf = (content: SummaryContent): Promise<number> =>
    countText(renderSummary({ ...content, id: costliestId, depth }));
  const taken = await tokensOf(base);
  const empty = await tokensOf(emptyContent(emptyNarrative));
  const asked = isOfModel ? Math.min(most, maxAskedTokens / multiplier) : most;
  const limit = (taken < asked * wholeShare ? most : asked) - empty;
  const room = Math.max(limit - (taken - empty), isOfModel ? 0 : limit * leastShare);
  if (room <= 0) return undefined;

  // Beside a model's text, a greeting says nothing; the user's first message may be the task, however short it is.
  const least = isOfModel ? lowWeight * userWeight : 0;
  const all = said.flatMap((message) => message.sentences.flatMap((unit) => unit ?? []));
  const isTask = ({ index, text }: Unit): boolean =>
    index === all[0]?.index && wordsOf(text).size > 1;
  const sentences = all.filter((unit) => unit.weight > least || isTask(unit));
  const first = sentences.filter(({ index }) => index === sentences[0]?.index);
  const units = [...sentences, ...lines].toSorted((one, other) => one.index - other.index);
  const rankedUnits = await rankUnits(units, contentText(base), 2 * room);
  const ofUser = rankedUnits.filter(({ isUser }) => isUser);
  const share = shares[isOfModel ? 'model' : 'rules'];

  const compose = (trial: number): SummaryContent => {
    const chosen = new Set<Unit>();
    let left = trial;
    const take = (some: readonly Unit[], allowed: number): void => {
      const added = some.filter((unit) => !chosen.has(unit));
      const tokens = sumOf(added, (unit) => unit.tokens);
      if (tokens > allowed) return;
      for (const unit of added) chosen.add(unit);
      left -= tokens;
    };
    const takeRanked = (kept: number, some = rankedUnits): void => {
      for (const unit of some) take([unit], left - kept);
    };
    take(first, firstShare * trial);
    take(sentences, share.user * trial);
    takeRanked(trial - Math.min(share.user * trial, mostUserTokens), ofUser);
    takeRanked(share.names * trial);
    const texted = [contentText(base), ...[...chosen].map(({ text }) => text)];
    const identifiers = withoutSaid(ranked, texted, left);
    left -= sumOf(identifiers, ({ tokens }) => tokens);
    takeRanked(0);
    const written = writeUnits(lines.filter((unit) => chosen.has(unit)));
    // A line of several messages names none of them.
    const added = writeIdentifiers(identifiers).map((item) => ({ item, origin: modelOrigin }));
    return contentOf(
      { ...base, activity: written.length === 0 ? undefined : written.join('\n') },
      { ...itemsOf(base), userQuotes: quoted(said, chosen), domainEntities: [...names, ...added] },
    );
  };

  return fillRoom(compose, tokensOf, { room, most: taken + room });
}

/** Composes for different room until an exact count comes close to the limit: sizes are estimates until then. */
async function fillRoom(
  compose: (room: number) => SummaryContent,
  tokensOf: (content: SummaryContent) => Promise<number>,
  { room, most }: { readonly room: number; readonly most: number },
): Promise<SummaryContent | undefined> {
  let best: SummaryContent | undefined;
  let fitting = 0;
  let tooMuch = Number.POSITIVE_INFINITY;
  for (let trial = room, trials = 0; trials < mostTrials || best === undefined; trials += 1) {
    await yieldToEventLoop();
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

/**
 * Lists the texts of an earlier record beside its list: quotes may be shorter in the new one. Each counts as one
 * mention.
 */
function earlierTexts(previous: SummaryInput['previous']): readonly TranscriptPart[] {
  const { summary = '', activity = '', context: { userQuotes = [] } = {} } = previous ?? {};
  const lines = [...userQuotes, ...`${summary}\n${activity}`.split('\n')];
  return lines.map((text) => ({ index: -1, role: 'user', kind: 'text', text }));
}

/** A day, or a number with a unit, which says nothing alone. */
const shortNumber = /^\d{1,2}\p{L}{1,3}$/u;

/** Picks the first identifiers that no text says, as many as fit, without names of fields that head others. */
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
      if (said.has(each.text) || each.tokens > left || shortNumber.test(each.text)) continue;
      left -= each.tokens;
      picked.push(each);
    }
    return picked;
  };
  for (const { group } of within()) said.add(group);
  return within();
}

/** Opening line if there are fewer messages of the user than the option asks for. */
const fewUserTurns = '• (few user messages)';

/** Worth of a line about a failure that persisted, or about a changed file, as a multiple of another one's. */
const errorWeight = 1.5;
const changeWeight = 2;
const change = / \| (?:Change|Lines written): /;

/** Characters of a line, and lines of one text of the assistant: further ones are passed over. */
const lineCharacters = 240;
const wholeLineCharacters = 120;
const linesOfText = 40;

/** The speaker before a line. */
const speaker = 'assistant: ';

/** Tool calls that are told of, texts of the assistant that are read, and characters of a narrative. */
const mostUses = 300;
const mostTexts = 300;
const mostNarrativeCharacters = 100_000;

/** Reads what was done, a line for each call that says something, and what the assistant said, in whole lines. */
async function activityUnits(
  input: SummaryInput,
  texts: readonly TranscriptPart[],
  toolResults: ToolResultOptions,
): Promise<readonly Unit[]> {
  const { messages, redact } = input;
  const given = priorityOf(input.priority);
  // The caller's priority over the default for the kind of message; each step doubles the weight.
  const raised = (index: number): number => {
    const message = messages[index];
    return message === undefined ? 1 : 2 ** (given(message) - defaultPriority(message));
  };
  const uses = (await toolUses(messages, toolResults, redact)).slice(-mostUses);
  const calls: { readonly facts: ToolSummary; readonly index: number }[] = [];
  for (const { use, index } of uses) {
    // Extractors run expressions over all output of tools: a second for two megabytes.
    const factsWith = (preserveErrorDetails: boolean): ToolSummary =>
      toolFactsOf({ ...use, preserveErrorDetails }, toolResults.extractors);
    const facts = factsWith(use.preserveErrorDetails);
    const isLong = renderToolSummary(facts).length > input.maxSummaryTokens;
    calls.push({ facts: isLong ? factsWith(false) : facts, index });
    await yieldToEventLoop();
  }
  const units: Unit[] = [];
  const said = texts.filter(({ role, kind }) => role === 'assistant' && kind === 'text');
  for (const { index, text } of said.slice(-mostTexts))
    for (const line of linesOf(text)) units.push(lineUnit(line, index, raised(index), true));
  for (const { line, index, isError } of callLines(calls))
    units.push(lineUnit(line, index, raised(index) * (isError ? errorWeight : 1)));
  return units.toSorted((one, other) => one.index - other.index);
}

function lineUnit(text: string, index: number, weight: number, isSpoken = false): Unit {
  const worth = !isSpoken && change.test(text) ? changeWeight * weight : weight;
  return makeUnit(text, { index, weight: worth, isSpoken, isUser: false });
}

function earlierUnits(earlier: string): readonly Unit[] {
  const units: Unit[] = [];
  const lines = earlier.slice(0, mostNarrativeCharacters).split('\n');
  for (const [place, line] of lines.entries()) {
    if (line.trim() === '' || line === emptyNarrative || line === fewUserTurns) continue;
    const index = place - lines.length;
    if (line.startsWith(speaker))
      for (const said of line.slice(speaker.length).split(omission))
        units.push(lineUnit(said, index, 1, true));
    else units.push(lineUnit(line, index, 1));
  }
  return units;
}

/** Splits a text into the lines that say something: markup and fences do not. */
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

/** Writes a line for each call, with how it ended; equal lines become the last one, with their number. */
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

/** Writes lines; lines of the assistant in one message are joined. */
function writeUnits(units: readonly Unit[]): readonly string[] {
  const lines: string[] = [];
  let spoken: number | undefined;
  for (const { text, index, isSpoken } of units) {
    if (isSpoken && spoken === index) lines.push(`${lines.pop() ?? ''}${omission}${text}`);
    else lines.push(isSpoken ? `${speaker}${text}` : text);
    spoken = isSpoken ? index : undefined;
  }
  return lines;
}
