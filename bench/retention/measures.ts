import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { callTeller, completedCalls } from './completed-calls.ts';
import { contains, identifiersOf, occurrences } from './identifiers.ts';
import type { Cut, Probe } from './make-cut.ts';
import { segmentsOf, textOf } from './segments.ts';

/** What a compacted text must hold, found once for each cut. */
export interface Expectation {
  readonly needed: readonly { readonly identifier: string; readonly beside: ReadonlySet<string> }[];
  readonly artifacts: readonly string[];
  /** Content words of the user sentences that state a rule. */
  readonly constraints: readonly (readonly string[])[];
  readonly answers: readonly (readonly string[])[];
  /** Words of the arguments of calls that were done. */
  readonly calls: readonly (readonly string[])[];
}

/** Shares from 0 to 1, or `undefined` where a cut has nothing to measure. */
export interface Scores {
  readonly frr: number | undefined;
  readonly cfrr: number | undefined;
  readonly artifacts: number | undefined;
  readonly constraints: number | undefined;
  readonly answers: number | undefined;
  /** Of the calls that were done, those that no line tells of: they would be made again. */
  readonly repeated: number | undefined;
}

/** Characters either side of an identifier in the evicted part whose words count as beside it. */
const besideCharacters = 40;
/** Characters either side in which two of those words must stand in the compacted text. */
const nearCharacters = 120;

export function expectationOf(cut: Cut): Expectation {
  const evicted = textOf(cut.evicted);
  return {
    needed: neededIdentifiers(cut, evicted).map((identifier) => ({
      identifier,
      beside: wordsBeside(evicted, identifier, besideCharacters),
    })),
    artifacts: touchedFiles(cut.evicted),
    constraints: constraintSentences(cut.evicted),
    answers: visibleAnswers(cut, evicted),
    calls: completedCalls(cut.evicted),
  };
}

export function score(compacted: string, expectation: Expectation): Scores {
  const { needed, artifacts, constraints, answers, calls } = expectation;
  const tellsOf = callTeller(compacted);
  const lines = compacted.split('\n').map((line) => new Set(contentWords(line)));
  const lowered = compacted.toLowerCase();
  return {
    frr: share(needed, ({ identifier }) => contains(compacted, identifier)),
    cfrr: share(needed, ({ identifier, beside }) => {
      for (const at of occurrences(compacted, identifier)) {
        const near = wordsAround(compacted, at, identifier, nearCharacters);
        if (near.filter((word) => beside.has(word)).length >= 2) return true;
      }
      return false;
    }),
    artifacts: share(artifacts, (name) => contains(compacted, name)),
    constraints: share(constraints, (words) =>
      lines.some((line) => words.filter((word) => line.has(word)).length >= 0.6 * words.length),
    ),
    answers: share(answers, (accepted) =>
      accepted.some((answer) => contains(lowered, answer.toLowerCase())),
    ),
    repeated: share(calls, (words) => !tellsOf(words)),
  };
}

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number | undefined {
  return items.length === 0 ? undefined : items.filter(holds).length / items.length;
}

/** Identifiers of the evicted part that the agent itself writes next without seeing them elsewhere. */
function neededIdentifiers(cut: Cut, evicted: string): readonly string[] {
  const visible = `${textOf(cut.system)}\n${textOf(cut.tail)}`;
  const future = segmentsOf(cut.future);
  return [...identifiersOf(evicted)].filter((identifier) => {
    if (contains(visible, identifier)) return false;
    return future.find(({ text }) => contains(text, identifier))?.author === 'agent';
  });
}

function wordsBeside(text: string, identifier: string, characters: number): ReadonlySet<string> {
  const words = new Set<string>();
  for (const at of occurrences(text, identifier))
    for (const word of wordsAround(text, at, identifier, characters)) words.add(word);
  return words;
}

/** Distinct content words around an occurrence, the identifier's own words apart. */
function wordsAround(
  text: string,
  at: number,
  identifier: string,
  characters: number,
): readonly string[] {
  const before = text.slice(Math.max(0, at - characters), at);
  const after = text.slice(at + identifier.length, at + identifier.length + characters);
  const own = new Set(contentWords(identifier));
  return [...new Set(contentWords(`${before} ${after}`))].filter((word) => !own.has(word));
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'the and for with that this from are was were been have has had not but you your our can will would ' +
    'should could may might must does did doing its they them their there here then than when where which ' +
    'who whom what why how all any some into onto out about over under after before also just only very ' +
    'because since while during each other such these those him her his she too'
  ).split(' '),
);

function contentWords(text: string): readonly string[] {
  return Array.from(text.matchAll(/\p{L}{3,}/gu), ([word]) => word.toLowerCase()).filter(
    (word) => !stopWords.has(word),
  );
}

const rule =
  /\b(?:never|don['’]?t|do not|must|mustn['’]?t|always|only|instead|avoid|without|cannot|can['’]?t|should not|shouldn['’]?t|make sure|ensure|required?)\b/i;

function constraintSentences(
  messages: readonly LanguageModelV4Message[],
): readonly (readonly string[])[] {
  return segmentsOf(messages)
    .filter(({ author }) => author === 'user')
    .flatMap(({ text }) => text.split(/(?<=[.!?])\s+|\n+/))
    .filter((sentence) => rule.test(sentence) && sentence.length <= 400)
    .map((sentence) => [...new Set(contentWords(sentence))])
    .filter((words) => words.length >= 3);
}

const writes = /edit|write|create|patch|replace|insert/i;
const shellWrite = /^\s*(create|edit|open)\s+(\S+)/;

/** Names of files that calls create or change, the file that a line editor has open included. */
function touchedFiles(messages: readonly LanguageModelV4Message[]): readonly string[] {
  const names = new Set<string>();
  let open: string | undefined;
  const add = (path: string | undefined): void => {
    const name = path?.split('/').at(-1);
    if (name !== undefined && name.includes('.')) names.add(name);
  };
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue;
      const { command, path, file_path: filePath, filename } = stringsOf(part.input);
      const verb = path === undefined ? part.toolName : `${part.toolName} ${command ?? ''}`;
      const isEditor = !/str_replace_editor/.test(verb) || writes.test(command ?? '');
      if (writes.test(verb) && isEditor) add(path ?? filePath ?? filename);
      const shell = shellWrite.exec(path === undefined ? (command ?? '') : '');
      if (shell === null) continue;
      const isLines = /^\d+(?::\d+)?$/.test(shell[2] ?? '');
      if (!isLines) open = shell[2]?.replaceAll(/["']/g, '');
      if (shell[1] === 'create' || shell[1] === 'edit') add(open);
    }
  }
  return [...names];
}

function stringsOf(input: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof input !== 'object' || input === null) return {};
  return Object.fromEntries(
    Object.entries(input).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

/** Answers that stand literally in what was evicted and not in the tail. */
function visibleAnswers(cut: Cut, evicted: string): readonly (readonly string[])[] {
  const past = evicted.toLowerCase();
  const tail = textOf(cut.tail).toLowerCase();
  return cut.probes
    .map(({ answer, acceptable }: Probe) => acceptable ?? (answer === undefined ? [] : [answer]))
    .filter(
      (accepted) =>
        accepted.some((answer) => contains(past, answer.toLowerCase())) &&
        !accepted.some((answer) => contains(tail, answer.toLowerCase())),
    );
}
