import type { TimeSlices } from '../../../util/time-slices.ts';
import { asOneLine, sentencesOf } from '../texts/sentences.ts';
import type { SourceText } from '../texts/source-texts.ts';

/** What people said outright about the state of the work. */
export interface Statements {
  /** What the user asked for: the newest request first, then the one that everything began with. */
  readonly requests: readonly string[];
  /** Newest first, like all that follow. */
  readonly decisions: readonly string[];
  readonly tasks: readonly string[];
  readonly unresolved: readonly string[];
}

/** Longer sentences explain; shorter ones state. */
const longestStatement = 200;

/** Shorter sentences are greetings and answers. */
const shortestRequest = 20;

const maxOfEach = 5;

const decided =
  /\b(?:decided (?:to|on|that|against)|we (?:agreed|chose)|agreed (?:to|on|that)|settled on|let['’]s go with|going with|we(?:['’]ll| will) (?:use|go with|keep|stick))\b/i;
const todo =
  /\b(?:todo\b|to-do\b|next steps?\b|still (?:have|has|need|needs) to\b|remains to be\b|follow up\b|left to do\b|remind me\b|remember to\b|(?:do not|don['’]t) forget\b)/i;
const open =
  /\b(?:still (?:fails?|failing|broken|unclear|unknown|open|missing)|not (?:yet (?:resolved|fixed|done|clear|known|decided)|sure why)|unresolved|open question|tbd|blocked (?:by|on))\b/i;

/** Finds requests of the user, and decisions, tasks and open questions that anybody states literally. */
export async function findStatements(
  texts: readonly SourceText[],
  slices: TimeSlices,
): Promise<Statements> {
  const decisions = new Set<string>();
  const tasks = new Set<string>();
  const unresolved = new Set<string>();
  for (const { role, text } of texts.toReversed()) {
    if (role !== 'user' && role !== 'assistant') continue;
    for (const sentence of sentencesOf(text)) {
      if (sentence.length <= longestStatement) {
        if (decided.test(sentence)) addNew(decisions, sentence);
        else if (todo.test(sentence)) addNew(tasks, sentence);
        else if (open.test(sentence)) addNew(unresolved, sentence);
      }
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
  }
  const requests = await findRequests(texts, slices);
  return { requests, decisions: [...decisions], tasks: [...tasks], unresolved: [...unresolved] };
}

function addNew(found: Set<string>, sentence: string): void {
  if (found.size < maxOfEach) found.add(asOneLine(sentence));
}

async function findRequests(
  texts: readonly SourceText[],
  slices: TimeSlices,
): Promise<readonly string[]> {
  const requests = new Set<string>();
  const spoken = texts.filter(({ role }) => role === 'user');
  for (const source of [spoken.at(-1), spoken[0]]) {
    for (const sentence of sentencesOf(source?.text ?? '')) {
      const pause = slices.pause();
      if (pause !== undefined) await pause;
      const line = asOneLine(sentence);
      if (line.length < shortestRequest || line.length > longestStatement) continue;
      requests.add(line);
      break;
    }
  }
  return [...requests];
}
