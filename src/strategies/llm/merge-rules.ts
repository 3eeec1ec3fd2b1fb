import { itemsOf } from '../../record/content-items.ts';
import { emptyContent } from '../../record/empty-content.ts';
import { itemId } from '../../record/item-ids.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { CitedText, SummaryAnswer } from '../models/summary-answer.ts';
import { isShown, mayBeRule, ruleStrength } from '../rule-based/facts/rule-strength.ts';
import { sameness } from '../rule-based/texts/sentences.ts';
import { sentenceFinder } from '../user-words/find-sentences.ts';
import { keepRules, type KeptRules } from '../user-words/keep-rules.ts';
import type { UserSentence } from '../user-words/user-sentences.ts';

/** The rules of the user after a summary, and what a model took for rules. */
export interface MergedRules {
  readonly kept: KeptRules;
  /** Constraints of the model that no sentence of the user supports. */
  readonly unsupported: readonly CitedText[];
}

/**
 * Reads which sentences of the user a model means by its constraints, and which rules it says that the user has
 * ended. Whatever it writes, only sentences of the user become constraints, and only a newer one of them ends one.
 */
// oxlint-disable-next-line max-lines-per-function -- one pass over what is kept so far
export async function mergeRules(
  previous: SummaryContent | undefined,
  answer: Pick<SummaryAnswer, 'context' | 'endedRules'>,
  sentences: readonly UserSentence[],
  slices: TimeSlices,
): Promise<MergedRules> {
  const earlier = itemsOf(previous ?? emptyContent(''));
  const possible: UserSentence[] = [];
  const said: UserSentence[] = [];
  const byWords = new Set<UserSentence>();
  for (const sentence of sentences) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    if (isShown(sentence.text)) continue;
    said.push(sentence);
    if (mayBeRule(sentence.text)) possible.push(sentence);
    if (ruleStrength(sentence.text) > 0) byWords.add(sentence);
  }
  // An earlier constraint counts as said before all that is new.
  const held = earlier.constraints.map(({ item }) => ({ text: item, message: -1 }));
  const findHeld = sentenceFinder(held);
  const findRule = sentenceFinder(possible);
  const pointed = new Set<UserSentence>();
  const unsupported: CitedText[] = [];
  for (const { text, message } of answer.context.constraints) {
    await slices.pause();
    const found = findRule({ text, message });
    for (const sentence of found) pointed.add(sentence);
    if (found.length === 0 && findHeld({ text }).length === 0) unsupported.push({ text, message });
  }
  const isRule = (sentence: UserSentence): boolean =>
    byWords.has(sentence) || pointed.has(sentence);
  const findEnding = sentenceFinder(said);
  const findEnded = sentenceFinder([...held, ...possible.filter(isRule)]);
  const endings = new Map<UserSentence, Set<string>>();
  for (const { rule, ruleMessage, text, message } of answer.endedRules) {
    await slices.pause();
    const byId = held.filter((_, index) => itemId('constraints', index) === rule);
    const ended = byId.length > 0 ? byId : findEnded({ text: rule, message: ruleMessage });
    const by = findEnding({ text, message }).at(-1);
    if (by === undefined) continue;
    const rules = endings.get(by) ?? new Set();
    for (const each of ended) rules.add(sameness(each.text));
    endings.set(by, rules);
  }
  const isEnding = (sentence: UserSentence, rule?: string): boolean => {
    const rules = endings.get(sentence);
    return rule === undefined ? rules !== undefined : rules?.has(sameness(rule)) === true;
  };
  const kept = await keepRules(earlier, { sentences: said, isRule, isEnding }, slices);
  return { kept, unsupported };
}
