import { mostCharactersPerToken } from '../tokens/text/text-pieces.ts';
import type { RecallOutput } from './recall-tool-options.ts';

/** An answer within a budget: as many passages as fit, of the last one its beginning, and where it goes on. */
export function answerWithin(
  answer: RecallOutput,
  maxTokens: number,
  count: (text: string) => number,
): RecallOutput {
  const size = (given: RecallOutput): number => count(JSON.stringify(given));
  const passages: RecallOutput['passages'] = [];
  for (const passage of answer.passages) {
    const { position, offset, text } = passage;
    const mostFits = maxTokens * mostCharactersPerToken;
    if (
      text.length <= mostFits &&
      size(upTo(answer, [...passages, passage], passage)) <= maxTokens
    ) {
      passages.push(passage);
      continue;
    }
    let [least, most] = [0, Math.min(text.length, mostFits)];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      const cut = { ...passage, text: text.slice(0, middle).toWellFormed() };
      if (size(upTo(answer, [...passages, cut], passage)) <= maxTokens) least = middle;
      else most = middle - 1;
    }
    const next = { position, offset: offset + least };
    const cut = { ...passage, text: text.slice(0, least).toWellFormed() };
    return { ...answer, passages: least === 0 ? passages : [...passages, cut], next };
  }
  return answer;
}

function upTo(
  answer: RecallOutput,
  passages: RecallOutput['passages'],
  { position, offset, text }: RecallOutput['passages'][number],
): RecallOutput {
  return { ...answer, passages, next: { position, offset: offset + text.length } };
}
