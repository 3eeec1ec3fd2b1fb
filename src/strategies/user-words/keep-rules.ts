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

/** Newest sentences that may end a rule: taking a text apart into words takes as long as finding all rules in it. */
const maxJudgedSentences = 5000;

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
  const firstJudged = Math.max(0, sentences.length - maxJudgedSentences);
  const rememberStems = ({ words }: HeldRule): void => {
    for (const word of words) stems.add(word.slice(0, ruleStemLetters));
  };
  const hold = (rule: ContentItem): HeldRule => {
    const key = sameness(rule.item);
    const each = heldRule(rule);
    held.delete(key);
    held.set(key, each);
    return each;
  };
  // Which of them a prompt has no room for is found out anew.
  for (const rule of earlier.constraints) hold(rule);
  const replaced = [...earlier.replacedConstraints];
  for (const [index, sentence] of sentences.entries()) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const { text, message } = sentence;
    if (index === firstJudged) for (const [, rule] of newest(held)) rememberStems(rule);
    const isJudged = index >= firstJudged;
    // What few sentences are comes first.
    const correction = isJudged && stems.size > 0 ? correctionOf(text) : undefined;
    const endsByWords =
      correction !== undefined && speaksOf(text, stems) && mayBeRule(text) ? correction : undefined;
    const older = endsByWords !== undefined || isEnding(sentence) ? newest(held) : [];
    const key = older.length === 0 ? '' : sameness(text);
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
    if (!isRule(sentence) && !(hasEnded && mayBeRule(text))) continue;
    const rule = hold({ item: text, origin: { role: 'user', message } });
    if (isJudged) rememberStems(rule);
  }
  return {
    constraints: Array.from(held.values(), ({ rule }) => rule),
    replacedConstraints: replaced,
  };
}

interface HeldRule extends RuleSubject {
  readonly rule: ContentItem;
}

/** Its words are read when they are asked for: most rules are compared with nothing. */
function heldRule({ item, origin }: ContentItem): HeldRule {
  let words: readonly string[] | undefined;
  return {
    rule: { item, origin },
    text: item,
    get words() {
      words ??= subjectWords(item);
      return words;
    },
  };
}

function newest(
  held: ReadonlyMap<string, HeldRule>,
): readonly (readonly [key: string, rule: HeldRule])[] {
  return [...held].slice(-maxComparedRules);
}

/** Whether a text may speak of what some words speak of. */
function speaksOf(text: string, stems: ReadonlySet<string>): boolean {
  return wordsOf(text).some((word) => stems.has(word.slice(0, ruleStemLetters)));
}
