import { sha256Hex } from '../../hash/sha256-hex.ts';
import type { Attempt } from './attempts.ts';
import type { Outcome } from './findings.ts';
import type { Kept } from './journal.ts';
import { judgeAnswer, judgeInstructions } from './judge-answer.ts';
import { meteredModel } from './metered-model.ts';
import type { Setting } from './setting.ts';

/** Has an answer judged, unless the journal holds the verdict of this judge, or there is none to judge. */
export async function judgeOutcome(
  outcome: Outcome & { readonly answer: Kept<'answer'> },
  setting: Setting,
  attempt: Attempt,
): Promise<Outcome> {
  const { question, answer } = outcome;
  if (answer.tooLong !== undefined) return outcome;
  const { given, journal } = setting;
  const about = [answer.key, answer.text, question, given.judge, given.provider, judgeInstructions];
  const key = await sha256Hex(JSON.stringify(about));
  const known = journal.verdicts.get(key);
  if (known !== undefined) return { ...outcome, verdict: known.verdict };
  const judge = meteredModel(
    setting.judge,
    { ...setting, isJudge: true, price: given.judgePrice },
    () => {},
  );
  const judged = await attempt(() => judgeAnswer(judge, question, answer.text), true);
  if (judged.undone !== undefined) return { ...outcome, undone: judged.undone };
  const verdict = judged.value;
  if (verdict !== undefined) journal.append({ kind: 'verdict', key, verdict });
  return { ...outcome, verdict };
}
