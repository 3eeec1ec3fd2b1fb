import type { ContentItem, ContentItems } from '../../record/content-items.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { mayBeRule } from '../rule-based/facts/rule-strength.ts';
import { sameness } from '../rule-based/texts/sentences.ts';
import { correctionOf, type RuleSubject } from './corrections.ts';
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
   * Whether a sentence is said to end a rule of before it, or any.
   * @default none is
   */
  readonly isEnding?: (sentence: UserSentence, rule?: string) => boolean;
}

/** Letters by which words are looked for before they are compared. */
const ruleStemLetters = 2;

/** Newest rules that a correction is compared with: nobody remembers more. */
const maxComparedRules = 300;

/**
 * Carries the rules of an earlier record on through what the user said since. A rule ends only by a sentence of the
 * user that comes after it: by one whose words show it, or that is said to end it. Said again, it holds again.
 */
// oxlint-disable-next-line max-lines-per-function -- one pass over what is kept so far
export async function keepRules(
  earlier: KeptRules,
  { sentences, isRule, isEnding = () => false }: RuleNews,
  slices: TimeSlices,
): Promise<KeptRules> {
  const held = new Map<string, HeldRule>();
  const stems = new Set<string>();
  const hold = ({ item, origin }: ContentItem): void => {
    const key = sameness(item);
    const words = subjectWords(item);
    held.delete(key);
    held.set(key, { rule: { item, origin }, text: item, words });
    for (const word of words) stems.add(word.slice(0, ruleStemLetters));
  };
  // Which of them a prompt has no room for is found out anew.
  for (const rule of earlier.constraints) hold(rule);
  const replaced = [...earlier.replacedConstraints];
  for (const sentence of sentences) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const { text, message } = sentence;
    const key = sameness(text);
    const endsByWords = speaksOf(text, stems) && mayBeRule(text) ? correctionOf(text) : undefined;
    const older = endsByWords !== undefined || isEnding(sentence) ? newest(held) : [];
    let hasEnded = false;
    for (const [other, each] of older) {
      const stop = slices.pause();
      if (stop !== undefined) await stop;
      if (other === key) continue;
      if (endsByWords?.(each) !== true && !isEnding(sentence, each.text)) continue;
      held.delete(other);
      replaced.push({ item: { rule: each.text, by: text }, origin: each.rule.origin });
      hasEnded = true;
    }
    if (isRule(sentence) || (hasEnded && mayBeRule(text)))
      hold({ item: text, origin: { role: 'user', message } });
  }
  return {
    constraints: Array.from(held.values(), ({ rule }) => rule),
    replacedConstraints: replaced,
  };
}

interface HeldRule extends RuleSubject {
  readonly rule: ContentItem;
}

function newest(
  held: ReadonlyMap<string, HeldRule>,
): readonly (readonly [key: string, rule: HeldRule])[] {
  return [...held].slice(-maxComparedRules);
}

/** Whether a text may speak of what some words speak of. */
function speaksOf(text: string, stems: ReadonlySet<string>): boolean {
  return stems.size > 0 && wordsOf(text).some((word) => stems.has(word.slice(0, ruleStemLetters)));
}
