import { languageOf } from './function-words.ts';
import { scriptsIn } from './scripts.ts';
import { countShared, subjectWords, wordsOf } from './subject-words.ts';
import type { UserSentence } from './user-sentences.ts';

/** What somebody says that the user said. */
export interface Quotation {
  readonly text: string;
  /** Position of the message where it is said to stand. */
  readonly message?: number | undefined;
}

/** Finds the sentences of the user that a quotation quotes, renders in other words or translates. */
export type SentenceFinder = (quotation: Quotation) => readonly UserSentence[];

/** Share of the words of the shorter one that a sentence and its paraphrase have in common. */
const paraphraseShare = 0.5;

/** The same, and how many words, where the sentence stands in another message than was said. */
const farShare = 0.67;
const farWords = 2;

/** Sentences that are looked through for one quotation: the newest of all, the first of a message. */
const mostSearched = 2000;

/** Sentences of a message that a translation can be of without a word in common. */
const mostTranslated = 3;

/**
 * Makes a finder. In this order: the sentence that holds the quotation word for word, in the message that is
 * named, else in any; the one whose words a paraphrase shares, in the message that is named, else in any; where the
 * quotation is in another language than the message that is named, what of it can be meant. A whole sentence is
 * found, never the part that was quoted: `touch the database` leads to `Never touch the database.`
 */
export function sentenceFinder(sentences: readonly UserSentence[]): SentenceFinder {
  const byMessage = Map.groupBy(sentences, ({ message }) => message);
  const plainTexts = new Map<UserSentence, string>();
  const plainOf = (sentence: UserSentence): string => {
    const plain = plainTexts.get(sentence) ?? plainSentence(sentence.text);
    plainTexts.set(sentence, plain);
    return plain;
  };
  const subjects = new Map<UserSentence, readonly string[]>();
  const subjectOf = (sentence: UserSentence): readonly string[] => {
    const words = subjects.get(sentence) ?? subjectWords(sentence.text);
    subjects.set(sentence, words);
    return words;
  };
  const newestSentences = sentences.slice(-mostSearched);
  return ({ text, message }) => {
    const named =
      message === undefined ? [] : (byMessage.get(message) ?? []).slice(0, mostSearched);
    const quoted = plainSentence(text);
    const isQuoted = (sentence: UserSentence): boolean =>
      holds(plainOf(sentence), quoted) || holds(quoted, plainOf(sentence));
    const inNamed = named.filter(isQuoted);
    if (inNamed.length > 0) return inNamed;
    const newest = newestSentences.findLast(isQuoted);
    if (newest !== undefined) return [newest];
    const words = subjectWords(text);
    const nearest =
      closest(words, named, subjectOf, paraphraseShare, 1) ??
      closest(words, newestSentences, subjectOf, farShare, farWords);
    return nearest === undefined ? translated(text, named) : [nearest];
  };
}

function plainSentence(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether a text holds another one of several words, or of several characters of a script without spaces. */
function holds(text: string, part: string): boolean {
  if (part === '' || text.length < part.length) return false;
  if (text === part) return true;
  if (part.includes(' ')) return ` ${text} `.includes(` ${part} `);
  return (
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{4,}$/u.test(part) && text.includes(part)
  );
}

/** The sentence that has most words in common with others, if it has enough. */
function closest(
  words: readonly string[],
  sentences: readonly UserSentence[],
  subjectOf: (sentence: UserSentence) => readonly string[],
  leastShare: number,
  leastWords: number,
): UserSentence | undefined {
  let best: UserSentence | undefined;
  let most = 0;
  for (const sentence of sentences) {
    const others = subjectOf(sentence);
    const shared = countShared(words, others);
    const share = shared / Math.min(words.length, others.length);
    if (shared < leastWords || share < leastShare || shared + share <= most) continue;
    best = sentence;
    most = shared + share;
  }
  return best;
}

/** What of a message a text in another language can be a translation of. */
function translated(text: string, sentences: readonly UserSentence[]): readonly UserSentence[] {
  if (sentences.length === 0 || sentences.length > mostTranslated) return [];
  const said = sentences.map((sentence) => sentence.text).join(' ');
  return isOtherLanguage(text, said) ? sentences : [];
}

function isOtherLanguage(text: string, other: string): boolean {
  const scripts = scriptsIn(text);
  if (!scriptsIn(other).some((script) => scripts.includes(script))) return true;
  const language = languageOf(wordsOf(text));
  return language !== undefined && language !== languageOf(wordsOf(other));
}
