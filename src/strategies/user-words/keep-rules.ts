import type { ContentItem, ContentItems } from '../../record/content-items.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import { mayBeRule } from '../rule-based/facts/rule-strength.ts';
import { sameness } from '../rule-based/texts/sentences.ts';
import { endsRules, isEndedBy } from './corrections.ts';
import { subjectWords, wordsOf } from './subject-words.ts';
import type { UserSentence } from './user-sentences.ts';

/** The rules of the user: those that hold, in the order in which they were said, and those that were ended. */
export type KeptRules = Pick<ContentItems, 'constraints' | 'replacedConstraints'>;

/** What of the user's sentences bears on rules. */
export interface RuleNews {
  /** All new sentences, in their order. */
  readonly sentences: readonly UserSentence[];
  /** Whether a sentence is a rule. */
  readonly isRule: (sentence: UserSentence) => boolean;
  /**
   * Whether a rule of before a sentence is said to be ended by it.
   * @default none is
   */
  readonly isSaidToEnd?: (sentence: UserSentence, rule: string) => boolean;
}

/** Letters by which words are looked for before they are compared. */
const stemLetters = 2;

/** Newest rules that a correction is compared with: nobody remembers more. */
const maxCompared = 300;

/**
 * Carries the rules of an earlier record on through what the user said since. A rule ends only by a sentence of the
 * user that comes after it: by one whose words show it, or that is said to end it. Said again, it holds again.
 */
export async function keepRules(
  earlier: KeptRules,
  { sentences, isRule, isSaidToEnd = () => false }: RuleNews,
  slices: TimeSlices,
): Promise<KeptRules> {
  const held = new Map<string, ContentItem>();
  const stems = new Set<string>();
  const hold = (rule: ContentItem): void => {
    const key = sameness(rule.item);
    held.delete(key);
    held.set(key, rule);
    for (const word of subjectWords(rule.item)) stems.add(word.slice(0, stemLetters));
  };
  // Which of them a prompt has no room for is found out anew.
  for (const { item, origin } of earlier.constraints) hold({ item, origin });
  const replaced = [...earlier.replacedConstraints];
  for (const sentence of sentences) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const { text, message } = sentence;
    const key = sameness(text);
    const isCorrection = speaksOf(text, stems) && endsRules(text) && mayBeRule(text);
    const ended = [...held]
      .slice(-maxCompared)
      .filter(
        ([other, { item }]) =>
          other !== key && ((isCorrection && isEndedBy(item, text)) || isSaidToEnd(sentence, item)),
      );
    for (const [other, { item, origin }] of ended) {
      held.delete(other);
      replaced.push({ item: { rule: item, by: text }, origin });
    }
    if (isRule(sentence) || (ended.length > 0 && mayBeRule(text)))
      hold({ item: text, origin: { role: 'user', message } });
  }
  return { constraints: [...held.values()], replacedConstraints: replaced };
}

/** Whether a text may speak of what some words speak of. */
function speaksOf(text: string, stems: ReadonlySet<string>): boolean {
  return stems.size > 0 && wordsOf(text).some((word) => stems.has(word.slice(0, stemLetters)));
}
