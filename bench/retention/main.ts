import { loadTextCounter } from '../../src/tokens/text-counter.ts';
import { loadCorpora, type Corpus } from './load-corpora.ts';
import { evictAll, makeCut, type Conversation, type Cut } from './make-cut.ts';
import { splitBySource } from './split-by-source.ts';
import { expectationOf, score, type Expectation, type Scores } from './measures.ts';
import { dropOldest } from './methods/drop-oldest.ts';
import { extractorLines } from './methods/extractor-lines.ts';
import { lexRank } from './methods/lex-rank.ts';
import type { Method } from './methods/method.ts';
import { ours } from './methods/ours.ts';
import { prunedMessages } from './methods/prune-messages.ts';
import { trimmedMessages } from './methods/trim-messages.ts';

// What a compacted conversation still holds of what its continuation needs. Definitions and corpora:
// README.md of this folder.

const shares = [0.05, 0.1, 0.2] as const;
const leastNeeded = 3;

const methods: readonly Method[] = [
  ours(),
  ours({ withEnvelope: true }),
  ours({ withEnvelope: true, steps: 4 }),
  dropOldest,
  prunedMessages,
  trimmedMessages,
  extractorLines,
  lexRank,
];

interface Case {
  readonly cut: Cut;
  readonly expectation: Expectation;
}

interface MeasuredCorpus {
  readonly kind: Corpus['kind'];
  readonly name: string;
  readonly cases: readonly Case[];
}

const folder = process.env['RETENTION_DATA'] ?? '../shared/data';
/** Measures the conversations that weights are tuned on, and none of those that are reported. */
const isTuning = process.env['RETENTION_PART'] === 'tuned';
const { count } = await loadTextCounter();
const loaded = loadCorpora(folder);
const corpora = loaded.map(measured);
if (corpora.length === 0) {
  console.warn(`SKIPPED: no corpus in ${folder}; RETENTION_DATA names another folder.`);
} else {
  for (const { name, cases } of corpora)
    console.log(`${name}: ${cases.length} cuts, ${neededIn(cases)} needed identifiers`);
  console.log(
    isTuning ? '\nThe sources that weights are tuned on.' : '\nSources that nothing was tuned on.',
  );
  console.log('Per cent at 5 / 10 / 20 % of the evicted tokens; macro mean over agent corpora.');
  printRow('', [
    'FRR',
    'cFRR',
    'constraints',
    'artifacts',
    'BFCL answers',
    'repeated work',
    'median excerpt',
    's per M tokens',
  ]);
  for (const method of methods) await printMethod(method);
  console.log(`\nOurs on one long conversation: ${await secondsForAMillion()}`);
}

function measured({ kind, name, conversations }: Corpus): MeasuredCorpus {
  const { tuned, reported } = splitBySource(conversations);
  const cases = (isTuning ? tuned : reported)
    .map((conversation) =>
      kind === 'agent' ? makeCut(conversation, count) : evictAll(conversation, count),
    )
    .map((cut): Case => ({ cut, expectation: expectationOf(cut) }))
    .filter(({ expectation }) => kind === 'chat' || expectation.needed.length >= leastNeeded);
  return { kind, name, cases };
}

function neededIn(cases: readonly Case[]): number {
  return cases.reduce((sum, { expectation }) => sum + expectation.needed.length, 0);
}

async function printMethod(method: Method): Promise<void> {
  let seconds = 0;
  let tokens = 0;
  const excerpts: number[] = [];
  const results: { readonly corpus: MeasuredCorpus; readonly scores: readonly Scores[] }[][] = [];
  for (const share of shares) {
    const row: (typeof results)[number] = [];
    for (const corpus of corpora) {
      const scores: Scores[] = [];
      for (const { cut, expectation } of corpus.cases) {
        const start = process.cpuUsage();
        const text = await method.compact(cut, Math.floor(cut.evictedTokens * share), count);
        const { user, system } = process.cpuUsage(start);
        seconds += (user + system) / 1e6;
        tokens += cut.evictedTokens;
        scores.push(score(text, expectation));
        // One by one: there may be more than a call can take.
        for (const excerpt of text.split(/\n| … /)) excerpts.push(excerpt.length);
      }
      row.push({ corpus, scores });
    }
    results.push(row);
  }
  const cell = (kind: Corpus['kind'], measure: keyof Scores): string =>
    results
      .map((row) => {
        const means = row
          .filter(({ corpus }) => corpus.kind === kind)
          .map(({ scores }) => mean(scores.map((entry) => entry[measure])));
        const value = mean(means);
        return value === undefined ? '-' : String(Math.round(100 * value));
      })
      .join(' / ');
  printRow(method.name, [
    cell('agent', 'frr'),
    cell('agent', 'cfrr'),
    cell('agent', 'constraints'),
    cell('agent', 'artifacts'),
    cell('chat', 'answers'),
    cell('agent', 'repeated'),
    String(excerpts.toSorted((one, other) => one - other)[excerpts.length >> 1] ?? 0),
    ((seconds / tokens) * 1e6).toFixed(2),
  ]);
}

/**
 * Seconds of processor time for each million tokens, by all conversations joined to one; the figure in the
 * table is of conversations so short that counting the summary is most of it.
 */
async function secondsForAMillion(): Promise<string> {
  const cut = evictAll(
    {
      id: 'all',
      messages: loaded.flatMap(({ conversations }) => conversations.flatMap(withoutSystem)),
      probes: [],
    },
    count,
  );
  // The best of five: whatever else the machine does only adds.
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run += 1) {
    const start = process.cpuUsage();
    await ours().compact(cut, 2000, count);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
  }
  const millions = cut.evictedTokens / 1e6;
  return `${(least / 1e6 / millions).toFixed(2)} s per million tokens (${millions.toFixed(2)} million)`;
}

function withoutSystem({ messages }: Conversation): Conversation['messages'] {
  return messages.filter(({ role }) => role !== 'system');
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0
    ? undefined
    : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function printRow(name: string, cells: readonly string[]): void {
  console.log([name.padEnd(28), ...cells.map((cell) => cell.padEnd(16))].join(' '));
}
