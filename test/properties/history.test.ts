import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  histories,
  playHistory,
  writeRound,
  type HistoryPlan,
  type Noise,
} from './generators/history-plan.ts';
import { writeTrace, type Trace } from './generators/write-trace.ts';
import { canonicalTexts } from './rig/canonical-text.ts';
import { checkProperty } from './rig/check-property.ts';
import { knownStrategy } from './rig/known-strategy.ts';
import { readOutcome, split, type Reading } from './rig/read-outcome.ts';
import { rig, type Outcome } from './rig/run-call.ts';
import { brokenStructure } from './rig/structure-checks.ts';

const provider = 'openai.responses';

/** What a record covers, as the tests know it: the canonical texts of its messages, in order. */
type Covered = readonly string[];

interface Round {
  readonly trace: Trace;
  /** Whether no request of its history has any noise. */
  readonly isQuiet: boolean;
  /** Canonical texts of the messages that identify something, in order. */
  readonly texts: readonly string[];
  readonly outcome: Outcome;
  readonly reading: Reading | undefined;
  /** The record in the prompt that was sent, as far as a strategy wrote it. */
  readonly covered: Covered | undefined;
  /** The longest record that existed before the round and could stand in for its conversation. */
  readonly best: Covered | undefined;
  /** The messages that the strategy was asked to summarise; empty when it was not. */
  readonly paidFor: readonly string[];
}

/** Plays a history against one middleware. */
async function play(
  plan: HistoryPlan,
  contextLength: number,
  check: (round: Round, earlier: readonly Round[]) => void,
): Promise<void> {
  const strategy = knownStrategy();
  const wrapped = rig({ contextLength, strategy, cooldownMessages: 0 }, provider);
  const records = new Map<string, Covered>();
  const rounds: Round[] = [];
  for (const [index, state] of playHistory(plan).entries()) {
    const trace = writeRound(state, plan.rounds[index]?.noise ?? 'none');
    const [, clean] = split(writeTrace(state).prompt);
    const texts = canonicalTexts(clean).filter((text) => text !== undefined);
    const best = bestOf([...records.values()], texts, clean);
    const calls = strategy.inputs.length;
    const outcome = await wrapped.call({ prompt: trace.prompt });
    const input = strategy.inputs[calls];
    expect(strategy.inputs.length - calls, 'one summary a call').toBeLessThanOrEqual(1);
    const reading = outcome.sent && readOutcome(outcome, provider);
    const ended = outcome.events.find((event) => event.type === 'end');
    const applied = outcome.events.find((event) => event.type === 'applied');
    if (ended !== undefined)
      records.set(ended.record.id, texts.slice(0, ended.record.coveredMessages));
    const round: Round = {
      trace,
      isQuiet: plan.rounds.every(({ noise }) => noise === 'none'),
      texts,
      outcome,
      reading,
      covered: applied && records.get(applied.recordId),
      best,
      paidFor: input === undefined ? [] : paidTexts(trace, texts, input.messages),
    };
    check(round, rounds);
    rounds.push(round);
  }
}

/** The longest record whose messages are a prefix and behind which the conversation can be cut. */
function bestOf(
  records: readonly Covered[],
  texts: readonly string[],
  clean: Trace['prompt'],
): Covered | undefined {
  return records
    .filter(
      (covered) =>
        covered.length < texts.length &&
        covered.every((text, position) => text === texts[position]) &&
        isCut(clean, covered.length),
    )
    .toSorted((a, b) => b.length - a.length)[0];
}

/** Whether no group spans the place behind the first `count` messages that identify something. */
function isCut(clean: Trace['prompt'], count: number): boolean {
  const significant = canonicalTexts(clean).flatMap((text, index) =>
    text === undefined ? [] : [index],
  );
  const next = clean[(significant[count - 1] ?? 0) + 1];
  return next !== undefined && next.role !== 'tool';
}

function paidTexts(
  trace: Trace,
  texts: readonly string[],
  messages: readonly unknown[],
): readonly string[] {
  const [, conversation] = split(trace.prompt);
  const significant = conversation.filter(
    (_, index) => canonicalTexts(conversation)[index] !== undefined,
  );
  return messages.flatMap((message) => {
    const index = significant.findIndex((candidate) => candidate === message);
    return index === -1 ? [] : [`${index} ${texts[index]}`];
  });
}

/** What must hold of every request, by the ids of the invariants. */
const roundChecks: Readonly<Record<string, (round: Round, earlier: readonly Round[]) => void>> = {
  /** Every message is in the prompt or in the one record that stands there. */
  'P16, P17': ({ trace, texts, outcome, reading, covered }) => {
    if (reading === undefined) return;
    expect(brokenStructure({ trace, outcome, reading })).toEqual([]);
    if (covered === undefined) return;
    const before = canonicalTexts(reading.conversation.slice(0, reading.cut));
    expect(covered).toHaveLength(before.filter((text) => text !== undefined).length);
    expect(covered).toEqual(texts.slice(0, covered.length));
  },

  /** A record is recognised whatever changes around it, and never when the conversation changed itself. */
  P20: ({ best, covered, reading, outcome }) => {
    if (reading === undefined || best === undefined) return;
    if (outcome.events.some(({ type }) => type === 'recovered')) return;
    expect(covered?.length ?? 0).toBeGreaterThanOrEqual(best.length);
    expect(covered?.slice(0, best.length)).toEqual(best);
  },

  /** A message is paid for once: what a record covers is not summarised again. */
  P19: ({ best, paidFor, texts }) => {
    if (paidFor.length === 0) return;
    const start = best?.length ?? 0;
    const next = texts.slice(start, start + paidFor.length);
    expect(paidFor).toEqual(next.map((text, index) => `${start + index} ${text}`));
  },

  /** Between two summaries a prompt is extended byte for byte, where nothing changes around the conversation. */
  P30: ({ outcome, trace, isQuiet }, earlier) => {
    const last = earlier.at(-1);
    if (!isQuiet || outcome.sent === undefined || last?.outcome.sent === undefined) return;
    const events = [...outcome.events, ...last.outcome.events];
    if (events.some(({ type }) => type === 'recovered')) return;
    if (recordOf(outcome) !== recordOf(last.outcome)) return;
    if (!isContinued(last.trace, trace)) return;
    const prefix = outcome.sent.prompt.slice(0, last.outcome.sent.prompt.length);
    expect(JSON.stringify(prefix)).toBe(JSON.stringify(last.outcome.sent.prompt));
  },
};

/** What a round breaks. */
function brokenIn(round: Round, earlier: readonly Round[]): string[] {
  return Object.entries(roundChecks).flatMap(([id, check]) => {
    try {
      check(round, earlier);
      return [];
    } catch (error) {
      return [`${id}: ${String(error)}`];
    }
  });
}

describe(`a conversation over several requests (${Object.keys(roundChecks).join(', ')})`, () => {
  it.each<[string, readonly Noise[] | undefined]>([
    ['whatever changes around it', undefined],
    ['as it is', ['none']],
  ])('keeps its promises, sent %s', async (_how, noises) => {
    const plans = histories({ maxTurns: 4 }, noises);
    const contextLengths = fc.integer({ min: 500, max: 1500 });
    await checkProperty(
      fc.asyncProperty(plans, contextLengths, async (plan, contextLength) => {
        await play(plan, contextLength, (round, earlier) => {
          expect(brokenIn(round, earlier)).toEqual([]);
        });
      }),
    );
  });
});

/** Whether a conversation begins with all of another one, to the letter. */
function isContinued(shorter: Trace, longer: Trace): boolean {
  const prefix = longer.prompt.slice(0, shorter.prompt.length);
  return JSON.stringify(prefix) === JSON.stringify(shorter.prompt);
}

function recordOf({ events }: Outcome): string | undefined {
  return events.find((event) => event.type === 'applied')?.recordId;
}
