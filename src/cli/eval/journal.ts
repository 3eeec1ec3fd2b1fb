import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { z } from 'zod/v4';
import { parseJson } from '../../json/parse-json.ts';
import { CommandError } from '../command/command-error.ts';
import { messageOf } from '../../util/errors.ts';

/** What calls took, in tokens and in milliseconds of calls that were answered. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly ms: number;
}

/** A line of the journal: what was paid for, and what came of it. */
export type JournalEntry =
  /** A call of a model, in dollars as they were reckoned then. */
  | { readonly kind: 'call'; readonly judge: boolean; readonly dollars: number }
  /** A history that a method has made ready. */
  | ({ readonly kind: 'history'; readonly key: string } & Spent)
  | ({ readonly kind: 'answer'; readonly key: string } & Spent & Answer)
  | { readonly kind: 'verdict'; readonly key: string; readonly verdict: 'yes' | 'no' };

/** What calls took, with the summaries that were made, and how many of them the rules wrote because a model failed. */
export interface Spent extends Usage {
  readonly summaries: number;
  readonly degraded: number;
}

/** What a model said, or why the provider found the prompt too long. */
export interface Answer {
  readonly text: string;
  readonly tooLong?: string | undefined;
}

export type Kept<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { kind: Kind }>;

/** What an evaluation has done so far, kept in a file so that nothing is paid for twice. */
export interface Journal {
  readonly answers: ReadonlyMap<string, Kept<'answer'>>;
  readonly histories: ReadonlyMap<string, Kept<'history'>>;
  readonly verdicts: ReadonlyMap<string, Kept<'verdict'>>;
  /** Dollars of all calls, and of those of the judge. */
  readonly paid: { readonly all: number; readonly judge: number };
  readonly append: (entry: JournalEntry) => void;
}

/**
 * Opens a journal of JSON lines. A last line without an end, of a process that was stopped, is taken off.
 *
 * @throws {CommandError} where the file is no journal, or cannot be read or written.
 */
export function openJournal(file: string): Journal {
  const answers = new Map<string, Kept<'answer'>>();
  const histories = new Map<string, Kept<'history'>>();
  const verdicts = new Map<string, Kept<'verdict'>>();
  const paid = { all: 0, judge: 0 };
  const take = (entry: JournalEntry): void => {
    if (entry.kind === 'answer') answers.set(entry.key, entry);
    else if (entry.kind === 'history') histories.set(entry.key, entry);
    else if (entry.kind === 'verdict') verdicts.set(entry.key, entry);
    else {
      paid.all += entry.dollars;
      if (entry.judge) paid.judge += entry.dollars;
    }
  };
  for (const [index, line] of linesOf(file).entries()) {
    const { data: entry } = entrySchema.safeParse(parseJson(line));
    if (entry === undefined)
      throw new CommandError(
        `${file}, line ${index + 1}: no line of a journal. Name another file with --journal, or remove this one.`,
      );
    take(entry);
  }
  const append = (entry: JournalEntry): void => {
    try {
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    } catch (error) {
      throw new CommandError(`${file} cannot be written: ${messageOf(error)}`);
    }
    take(entry);
  };
  return { answers, histories, verdicts, paid, append };
}

/** With what every line begins. */
const opening = '{"kind":';

function linesOf(file: string): readonly string[] {
  try {
    if (!existsSync(file)) return [];
    const bytes = readFileSync(file);
    const end = bytes.lastIndexOf(10) + 1;
    const rest = bytes.toString('utf8', end);
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
    if (rest === '') return lines;
    // A file of something else is left as it is.
    if (!opening.startsWith(rest.slice(0, opening.length))) return [...lines, rest];
    truncateSync(file, end);
    return lines;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

const amount = z.number().min(0);
const spent = {
  inputTokens: amount,
  outputTokens: amount,
  ms: amount,
  summaries: amount,
  degraded: amount,
};
const key = z.string();

const entrySchema: z.ZodType<JournalEntry> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), judge: z.boolean(), dollars: amount }),
  z.object({ kind: z.literal('history'), key, ...spent }),
  z.object({
    kind: z.literal('answer'),
    key,
    ...spent,
    text: z.string(),
    tooLong: z.string().optional(),
  }),
  z.object({ kind: z.literal('verdict'), key, verdict: z.enum(['yes', 'no']) }),
]);
