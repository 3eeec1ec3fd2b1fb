import { textsOf } from './known-record.ts';
import { nothingClose, questionsIn, remarksIn, type Turn } from './reading.ts';
import {
  findings,
  narrative,
  quotedNames,
  readSummaryPrompt,
  sortRemarks,
  withEarlier,
} from './write-summary.ts';

/** The lists say it all, so that the narrative need not: characters it may take. */
const narrativeCharacters = 120;

/**
 * Writes the whole record of a chat, by extraction: what the user said, sorted into facts, decisions, tasks and
 * rules; what tools found; and the questions that got no answer.
 *
 * @param prompt - User text of the summarizing prompt.
 */
export function chatSummary(prompt: string): object {
  const { turns, previous, maxChars } = readSummaryPrompt(prompt);
  const requests = turns.filter(({ role }) => role === 'user').map(({ text }) => text);
  const remarks = requests.flatMap(remarksIn);
  const said = sortRemarks(remarks);
  const sorted = new Set([...said.decisions, ...said.constraints]);
  const facts = remarks.filter((remark) => !sorted.has(remark) && !/^remind me\b/i.test(remark));
  return {
    summary: narrative(previous.narrative, turns, Math.min(maxChars, narrativeCharacters)),
    keyPoints: [...new Set([...textsOf(previous, 'keyPoints'), ...facts, ...findings(turns)])],
    context: {
      ...withEarlier(previous, said),
      unresolved: [...new Set([...textsOf(previous, 'unresolved'), ...unanswered(turns)])],
      domainEntities: [
        ...textsOf(previous, 'domainEntities'),
        ...requests.flatMap(questionsIn).flatMap(quotedNames),
      ],
    },
    ended: [],
  };
}

/** The questions of the user to which nothing was found. */
function unanswered(turns: readonly Turn[]): readonly string[] {
  return turns.flatMap(({ role, text }, index) => {
    const answer = turns[index + 1]?.text ?? '';
    return role === 'user' && answer.includes(nothingClose) ? questionsIn(text) : [];
  });
}
