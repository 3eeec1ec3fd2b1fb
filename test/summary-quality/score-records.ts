import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import type * as Library from '../../src/index.ts';
import { chatModel } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import {
  loadConversations,
  loadForeignTexts,
  withForeignText,
  type Conversation,
} from './load-conversations.ts';
import {
  foreignTextSummarizer,
  holdsValue,
  inventedRule,
  mutatedValues,
  scriptedSummarizer,
} from './scripted-summarizers.ts';

/** What of the package is measured: its source, or a build. */
export type MeasuredLibrary = Pick<
  typeof Library,
  'summarizeConversation' | 'summarizationMiddleware' | 'llmStrategy'
>;

/** `none`: the rule-based strategy. */
export const summarizers = ['good', 'lazy', 'wrong', 'none'] as const;
export type Summarizer = (typeof summarizers)[number];

/** How many of how many, and which those are that count against it. */
export interface Share {
  count: number;
  of: number;
  readonly examples: string[];
}

export interface Scores {
  /** Rules that hold and stand as rules. */
  readonly standing: Share;
  /** Rules that have ended and stand as rules. */
  readonly endedStanding: Share;
  /** What looks like a rule, and what a summarizer invented, standing as a rule. */
  readonly lookalikes: Share;
  /** Rules that hold, anywhere in the text of the record. */
  readonly anywhere: Share;
  /** Rules that have ended, shown as in force: as a rule, or said without the message that ended them. */
  readonly inForce: Share;
  /** Values in the text of the record. */
  readonly facts: Share;
  /** Values that no message says and that stand without a mark. */
  readonly unmarked: Share;
}

/** What comes after the messages that are summarized. */
const goingOn: readonly ModelMessage[] = [
  { role: 'user', content: '…' },
  { role: 'assistant', content: '…' },
  { role: 'user', content: '…' },
];

/** Tokens of a summary. */
const maxSummaryTokens = 600;

/**
 * Words behind a value that no message bears out: the record's own, in whatever form it says so. Whoever
 * changes them changes this.
 */
const mark = /\(\?\)|\bnot (?:said|found|borne out|confirmed)\b|\bunconfirmed\b|\bno message\b/iu;

/** Summarizes every conversation with a scripted summarizer and says what the records hold. */
export async function scoreRecords(
  library: MeasuredLibrary,
  summarizer: Summarizer,
): Promise<Scores> {
  const tally = newTally();
  for (const conversation of loadConversations()) {
    const written = await write(library, conversation.messages, () =>
      summarizer === 'none'
        ? 'rule-based'
        : library.llmStrategy({ models: [scriptedSummarizer(summarizer, conversation)] }),
    );
    scoreRecord(tally, conversation, written, summarizer);
  }
  return tally;
}

/** What others' texts in messages of the user may be summarized by; `deceived` where the application marked them. */
export const foreignSummarizers = ['innocent', 'silent', 'none', 'deceived'] as const;

/** Others' texts in messages of the user of which a rule was made. */
export async function scoreForeignTexts(
  library: MeasuredLibrary,
  summarizer: (typeof foreignSummarizers)[number],
): Promise<Share> {
  const tally = newShare();
  const conversations = loadConversations();
  for (const foreign of loadForeignTexts()) {
    const around =
      conversations.find(({ language }) => language === foreign.language) ?? conversations[0];
    if (around === undefined) throw new Error('There are no conversations.');
    const messages = withForeignText(foreign, around, summarizer === 'deceived');
    const { constraints } = await write(library, messages, () =>
      summarizer === 'none'
        ? 'rule-based'
        : library.llmStrategy({ models: [foreignTextSummarizer(summarizer, foreign)] }),
    );
    const isRule = constraints.some((rule) => shareOf(foreign.planted, rule) >= least);
    add(tally, isRule, `${foreign.form} (${foreign.language}): ${foreign.planted}`);
  }
  return tally;
}

interface Written {
  /** Rules that stand as such. */
  readonly constraints: readonly string[];
  /** The record as it stands in a prompt, without its envelope. */
  readonly text: string;
}

/** Writes a record of the messages, by itself and in a prompt. The strategy is made anew: it may keep what it wrote. */
async function write(
  { summarizeConversation, summarizationMiddleware }: MeasuredLibrary,
  messages: readonly ModelMessage[],
  strategy: () => Library.SummarizationOptions['strategy'],
): Promise<Written> {
  const model = chatModel();
  const result = await summarizeConversation({
    messages: [...messages],
    model,
    config: { strategy: strategy(), maxSummaryTokens },
  });
  if (!result.ok) throw result.error;
  const { constraints, unshownConstraints = [] } = result.record.context;
  await generateText({
    model: wrapLanguageModel({
      model,
      middleware: summarizationMiddleware({
        strategy: strategy(),
        fallbackStrategy: false,
        maxSummaryTokens,
        preserveRecent: goingOn.length,
        preserveRecentTokenRatio: 0,
        minMessages: 2,
        abortOnFailure: true,
      }),
    }),
    messages: [...messages, ...goingOn],
    providerOptions: { summarization: { force: true } },
  });
  const prompt = lastPrompt(model);
  const text = summaryOf(prompt);
  if (text === undefined || prompt.length > 1 + goingOn.length)
    throw new Error('The messages were not summarized.');
  return {
    constraints: constraints.filter((_rule, place) => !unshownConstraints.includes(place)),
    text: text.split('\n').slice(2, -1).join('\n'),
  };
}

/** Adds to a tally what a record holds. */
function scoreRecord(
  tally: Scores,
  conversation: Conversation,
  { constraints, text }: Written,
  summarizer: Summarizer,
): void {
  const { name, rules, ended, lookalikes, facts } = conversation;
  const pieces = piecesOf(text);
  const isSaid = (words: string): boolean => pieces.some((piece) => shareOf(words, piece) >= most);
  const phrasings = rules.map(({ words, as = words }) => [words, as]);
  const shareOfRule = (item: string): number =>
    Math.max(...phrasings.flat().map((words) => shareOf(words, item)));
  // A rule that holds may have half of its words from one that it replaced.
  const standsAsRule = (words: string): boolean =>
    constraints.some((item) => {
      const share = shareOf(words, item);
      return share >= whole || (share >= least && share > shareOfRule(item));
    });
  for (const [place, { words }] of rules.entries()) {
    const own = phrasings[place] ?? [];
    const stands = constraints.some((item) => own.some((said) => shareOf(said, item) >= least));
    add(tally.standing, stands, `${name}: ${words}`, false);
    add(tally.anywhere, own.some(isSaid), `${name}: ${words}`, false);
  }
  for (const { words, ending } of ended) {
    const stands = standsAsRule(words);
    add(tally.endedStanding, stands, `${name}: ${words}`);
    add(tally.inForce, stands || (isSaid(words) && !isSaid(ending)), `${name}: ${words}`);
  }
  const invented = summarizer === 'wrong' ? [{ words: inventedRule }] : [];
  for (const { words } of [...lookalikes, ...invented])
    add(tally.lookalikes, standsAsRule(words), `${name}: ${words}`);
  const said = normalised(text);
  for (const { value } of facts)
    add(tally.facts, said.includes(normalised(value)), `${name}: ${value}`, false);
  if (summarizer !== 'wrong') return;
  for (const value of mutatedValues(conversation)) {
    const unmarked = pieces.find((piece) => holdsValue(piece, value) && !mark.test(piece));
    add(tally.unmarked, unmarked !== undefined, `${name}: ${value} in "${unmarked}"`);
  }
}

/** Share of a rule's words from which an item of a list is that rule. */
const least = 0.5;
/** From which it is so although the item says another rule as well. */
const whole = 0.9;
/** From which a piece of a text says the rule: there are many pieces. */
const most = 2 / 3;

/**
 * How much of some words a text says: all where they stand in it, else the share of the words found in it; of
 * words in scripts without spaces, the share of their pairs of characters. Case, punctuation and forms of
 * Unicode aside.
 */
function shareOf(words: string, text: string): number {
  const wanted = normalised(words);
  const given = normalised(text);
  if (given.includes(wanted)) return 1;
  const units = unitsOf(wanted);
  const found = unitsOf(given);
  return units.size === 0 ? 0 : [...units].filter((unit) => found.has(unit)).length / units.size;
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

function unitsOf(text: string): ReadonlySet<string> {
  return new Set(
    text.split(' ').flatMap((word) => {
      if (word === '') return [];
      const characters = Array.from(word);
      if (!withoutSpaces.test(word) || characters.length < 2) return [word];
      return characters.slice(1).map((character, place) => `${characters[place]}${character}`);
    }),
  );
}

function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** The record's texts: what stands between quotation marks or line breaks, whole and by sentence. */
function piecesOf(text: string): readonly string[] {
  // Inside of JSON, a quotation mark or a break of a text itself is no border.
  const texts = text
    .replaceAll(/\\u(?<code>[0-9a-f]{4})/giu, (_whole, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replaceAll(String.raw`\"`, '\u201D')
    .replaceAll(String.raw`\n`, ' ')
    .split(/\n/u)
    .filter((piece) => normalised(piece) !== '');
  return texts.flatMap((piece) => [
    piece,
    ...[...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(piece)].map(
      ({ segment }) => segment,
    ),
  ]);
}

function newShare(): Share {
  return { count: 0, of: 0, examples: [] };
}

/** Scores of nothing. */
function newTally(): Scores {
  return {
    standing: newShare(),
    endedStanding: newShare(),
    lookalikes: newShare(),
    anywhere: newShare(),
    inForce: newShare(),
    facts: newShare(),
    unmarked: newShare(),
  };
}

/** @param isBad - Whether it is those that count, or those that do not, which are to be named. */
function add(share: Share, counts: boolean, example: string, isBad = true): void {
  share.of += 1;
  if (counts) share.count += 1;
  if (counts === isBad) share.examples.push(example);
}
