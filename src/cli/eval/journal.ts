import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { isObject } from '../../util/is-object.ts';
import { CommandError } from '../command/command-error.ts';
import { reasonOf } from '../command/terminal.ts';

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
  | ({ readonly kind: 'history'; readonly key: string } & Usage & Summaries)
  | ({ readonly kind: 'answer'; readonly key: string } & Usage & Summaries & Answer)
  | { readonly kind: 'verdict'; readonly key: string; readonly verdict: 'yes' | 'no' };

/** Summaries that were made, and how many of them the rules wrote because a model failed. */
export interface Summaries {
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
    const entry = parsedLine(line);
    if (!isEntry(entry))
      throw new CommandError(
        `${file}, line ${index + 1}: no line of a journal. Name another file with --journal, or remove this one.`,
      );
    take(entry);
  }
  const append = (entry: JournalEntry): void => {
    try {
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    } catch (error) {
      throw new CommandError(`${file} cannot be written: ${reasonOf(error)}`);
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
    throw new CommandError(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const figures = ['inputTokens', 'outputTokens', 'ms', 'summaries', 'degraded'];

function isEntry(value: unknown): value is JournalEntry {
  if (!isObject(value)) return false;
  const { kind, key, judge, dollars, verdict, text, tooLong } = value;
  if (kind === 'call') return typeof judge === 'boolean' && isAmount(dollars);
  if (typeof key !== 'string') return false;
  if (kind === 'verdict') return verdict === 'yes' || verdict === 'no';
  const isMeasured = figures.every((name) => isAmount(value[name]));
  if (kind === 'history') return isMeasured;
  const isSaid = typeof text === 'string' && ['string', 'undefined'].includes(typeof tooLong);
  return kind === 'answer' && isMeasured && isSaid;
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
