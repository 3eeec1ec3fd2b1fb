import type { TimeSlices } from '../../../util/async/time-slices.ts';
import type { Excerpt } from '../texts/excerpt.ts';
import { looksLikeCode } from '../texts/looks-like-code.ts';
import { asOneLine, sentencesOf } from '../texts/sentences.ts';
import type { SourceText } from '../texts/source-texts.ts';

/** What people said outright about the state of the work, newest first. */
export interface Statements {
  /** What each user message asks for, in its own words. */
  readonly asks: readonly Excerpt[];
  /** What the assistant said last before the user spoke again: how it ended. Short ones whole. */
  readonly answers: readonly Excerpt[];
  readonly decisions: readonly Statement[];
  readonly tasks: readonly Statement[];
  readonly unresolved: readonly Statement[];
}

/** A sentence, and the text it was said in. */
export interface Statement {
  readonly text: string;
  /** Position of the text among the texts. */
  readonly source: number;
}

/** Longer sentences explain; shorter ones state. */
const longestStatement = 200;

/** Shorter sentences are greetings and answers. */
const shortestAsk = 30;

const asking =
  /[?？]\s*$|\b(?:please|(?:can|could|would|will) you|I(?:['’]d| would) (?:like|love|prefer)|I (?:want|need|prefer)|help me|let['’]s|we need)\b/i;

/** Longer answers are quoted to the end of their first sentence. */
const longestAnswer = 240;

const maxOfEach = 5;

const decided =
  /\b(?:decided (?:to|on|that|against)|we (?:agreed|chose)|agreed (?:to|on|that)|settled on|let['’]s go with|going with|we(?:['’]ll| will) (?:use|go with|keep|stick))\b/i;
const todo =
  /\b(?:todo\b|to-do\b|next steps?\b|still (?:have|has|need|needs) to\b|remains to be\b|follow up\b|left to do\b|(?:(?<!\w )|(?:please|you|and) )remind me\b|remember to\b|(?:do not|don['’]t) forget\b)/i;
const open =
  /\b(?:still (?:fails?|failing|broken|unclear|unknown|open|missing)|not (?:yet (?:resolved|fixed|done|clear|known|decided)|sure why)|unresolved|open question|tbd|blocked (?:by|on))\b/i;

/** Finds requests of the user, and decisions, tasks and open questions that anybody states literally. */
// oxlint-disable-next-line max-lines-per-function -- one pass that fills all lists
export async function findStatements(
  texts: readonly SourceText[],
  slices: TimeSlices,
): Promise<Statements> {
  const asks: Excerpt[] = [];
  const answers: Excerpt[] = [];
  let isAnswer = true;
  const decisions = new Map<string, Statement>();
  const tasks = new Map<string, Statement>();
  const unresolved = new Map<string, Statement>();
  for (const [place, { role, text, quotesUser = role === 'user', isReply = false }] of texts
    .toReversed()
    .entries()) {
    const isAnswering = role === 'assistant' || isReply;
    if (!isAnswering && !quotesUser) continue;
    const source = texts.length - 1 - place;
    let first: Excerpt | undefined;
    let firstEnd = 0;
    let ask: Excerpt | undefined;
    for (const { text: sentence, start } of sentencesOf(text)) {
      if (firstEnd < shortestAsk) firstEnd = start + sentence.length;
      const isShort = sentence.length <= longestStatement;
      if (isShort && decided.test(sentence)) addNew(decisions, sentence, source);
      else if (isShort && todo.test(sentence)) addNew(tasks, sentence, source);
      else if (isShort && open.test(sentence)) addNew(unresolved, sentence, source);
      if (quotesUser && sentence.trim().length >= shortestAsk && !looksLikeCode(sentence)) {
        const excerpt = { source, start, end: start + sentence.length };
        first ??= excerpt;
        if (asking.test(sentence)) ask ??= excerpt;
      }
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    if (quotesUser) isAnswer = true;
    else if (isReply || isAnswer) {
      answers.push({
        source,
        start: 0,
        end: text.length <= longestAnswer ? text.length : firstEnd,
      });
      isAnswer = false;
    }
    ask ??= first;
    if (ask !== undefined) asks.push(ask);
  }
  return {
    asks,
    answers,
    decisions: [...decisions.values()],
    tasks: [...tasks.values()],
    unresolved: [...unresolved.values()],
  };
}

function addNew(found: Map<string, Statement>, sentence: string, source: number): void {
  const text = asOneLine(sentence);
  if (found.size < maxOfEach && !found.has(text)) found.set(text, { text, source });
}
