import { APICallError } from '@ai-sdk/provider';
import { expect } from 'vitest';
import { ContextOverflowError, type Message } from '../../src/index.ts';
import { canary } from '../properties/generators/faults.ts';
import { readOutcome, sameMessage, split, type Reading } from '../properties/rig/read-outcome.ts';
import { structureChecks } from '../properties/rig/structure-checks.ts';
import { promptCounter } from '../support/counting-provider.ts';
import { sdkPromptRules } from '../wire/apis/sdk-prompt.ts';
import { witnessedTexts, witnessOf, type FaultyStrategy, type Witness } from './faulty-strategy.ts';
import { abortReason, scopeOf, type Call, type World } from './world.ts';

type Check = (call: Call, world: World) => void | Promise<void>;

/** Milliseconds beyond what a call may wait: timers are set anew on the way. */
const slackMs = 100;

/** What is observed of every call, by the ids of the invariants. */
const checks: Readonly<Record<string, Check>> = {
  'P32: only what the caller or the provider did ends a call': ({ error, isAborted, received }) => {
    if (error === undefined) return;
    if (isAborted && error === abortReason) return;
    if (ContextOverflowError.isInstance(error) && received.length === 0) return;
    if (APICallError.isInstance(error) && received.at(-1)?.isRefused === true) return;
    throw error;
  },

  'P23: what fits is not refused': async ({ error, given }, { plan }) => {
    // What a file takes is estimated, and this provider takes nothing for it.
    if (!ContextOverflowError.isInstance(error) || hasFiles(given.prompt)) return;
    const tokensOf = promptCounter(plan.counting);
    expect(tokensOf(given)).toBeGreaterThan(plan.contextLength * 0.7);
  },

  'P61: what is sent fits': ({ given, received, process }, { plan }) => {
    for (const { tokens, params } of received)
      // Where nothing more can be left out and it may fit, the provider has the last word.
      if (!isLeast(params.prompt, given.prompt, process.options.placement))
        expect(tokens).toBeLessThanOrEqual(plan.contextLength);
  },

  'P34: an abort ends a call at once': ({ sinceAbortMs = 0 }) => {
    expect(sinceAbortMs).toBeLessThanOrEqual(50);
  },

  'P50: no listener is left': ({ listeners }) => {
    expect(listeners).toBe(0);
  },

  'P66: a call waits as long as it may': ({ elapsedMs, events, process, sending }) => {
    const { maxWaitMs = 10_000, storeTimeoutMs = 2000 } = process.options;
    // Who aborts while another one's summary is waited for leaves before it is said.
    const said = events.filter((event) => event.type === 'check');
    // One to order waits for another one before it says how it stands, and may not have fitted until then.
    const isSaid = said.length > 0 && sending.force !== 'to order';
    // A size that is not exact may lie below what the decision has to reckon with: of a forced one that does not tell.
    const isTold = sending.force === 'no';
    const hasRoom =
      isSaid &&
      said.every(({ act, exact, ratio }) => (exact ? ratio < 1 : isTold && act !== 'emergency'));
    const most = (hasRoom ? maxWaitMs : 60_000) + 3 * storeTimeoutMs + slackMs;
    expect(elapsedMs).toBeLessThanOrEqual(most);
  },

  'P4: everything beside the prompt is as given': ({ given, received }) => {
    const { prompt: _given, providerOptions: _options, ...others } = given;
    for (const { params } of received) {
      const { prompt: _sent, providerOptions, ...rest } = params;
      expect(Object.keys(rest)).toEqual(Object.keys(others));
      for (const [key, value] of Object.entries(rest)) expect(value).toBe(Reflect.get(given, key));
      expect(providerOptions).toEqual({});
    }
  },

  'P22: a prompt never grows': async ({ given, received, written, events }, { plan }) => {
    if (hasFiles(given.prompt)) return;
    // A record of messages that are not sent any more comes on top of a few that are.
    if (written.from > 0 && events.some(({ type }) => type === 'applied')) return;
    const tokensOf = promptCounter(plan.counting);
    // Frames of messages are counted as the largest that any provider has.
    const most = tokensOf(given) + 16 * given.prompt.length;
    for (const { tokens } of received) expect(tokens).toBeLessThanOrEqual(most);
  },

  'P24: what needs nothing is sent as it was': ({ given, received, events }) => {
    if (events.some(({ type }) => type === 'applied' || type === 'recovered')) return;
    const [first] = received;
    if (first === undefined) return;
    expect(first.params.prompt).toHaveLength(given.prompt.length);
    for (const [index, message] of first.params.prompt.entries()) {
      const before = given.prompt[index];
      const entry = { message, shortened: false, folded: false };
      expect(before !== undefined && sameMessage(before, entry), `message ${index}`).toBe(true);
    }
  },

  'P12: a legal prompt stays legal': ({ given, received }) => {
    if (sdkPromptRules(given.prompt).length > 0) return;
    for (const { params } of received) expect(sdkPromptRules(params.prompt)).toEqual([]);
  },

  'P33: no text of an error is sent': ({ received }) => {
    for (const { params } of received) expect(JSON.stringify(params)).not.toContain(canary);
  },

  'P1 to P18: the shape of what is sent': (call) => {
    const reading = readWhole(call);
    if (reading === undefined) return;
    const { trace } = call.written;
    const outcome = outcomeOf(call);
    for (const check of Object.values(structureChecks)) check({ trace, outcome, reading });
  },

  'P16: a summary stands for what it replaces': (call, { strategy, textOf }) => {
    const { received, events } = call;
    // What rules write goes on with a narrative that stands for less.
    if (events.findLast((event) => event.type === 'applied')?.degraded !== false) return;
    const sent = received.at(-1)?.params.prompt ?? [];
    const summary = sent.flatMap(textsOf).find((text) => text.includes('[summary-depth:'));
    const witness = summary?.includes('\n# Summary\nS') && witnessOf(summary, strategy.witnesses);
    if (!witness) return;
    expect(witness.tenant).toBe(call.client.tenant);
    expect(mayStandFor(witnessedTexts(witness, textOf), call)).toBe(true);
  },

  'P20: a record is recognized': (call, { records }) => {
    const applied = call.events.findLast((event) => event.type === 'applied');
    const covered = applied && records.get(applied.recordId);
    if (covered === undefined) return;
    expect(mayStandFor(covered, call)).toBe(true);
  },

  'P63: nothing is paid twice': (call, { textOf }) => {
    const { known, client, written, paid, sending, isErased } = call;
    expect(paid.length).toBeLessThanOrEqual(1);
    const [messages] = paid;
    // One to order does not go on from what is prepared.
    if (messages === undefined || written.from > 0 || sending.force === 'to order') return;
    // What it knew is gone.
    if (isErased) return;
    const best = known
      .filter(({ scope }) => scope === scopeOf(client))
      .filter(({ texts }) => texts.every((text, index) => text === written.texts[index]))
      .filter(({ texts }) => isCut(call, texts.length))
      .reduce((most, { texts }) => Math.max(most, texts.length), 0);
    const asked = messages.map((message) => textOf(message)).filter((text) => text !== undefined);
    if (asked.length === 0) return;
    // By all of what was paid for: a conversation may say the same twice.
    const starts = written.texts.flatMap((_, start) =>
      asked.every((text, place) => written.texts[start + place] === text) ? start : [],
    );
    expect(starts.at(-1)).toBeGreaterThanOrEqual(best);
  },

  'P49: what is erased stays erased': (call, { strategy, textOf, records }) => {
    const { heard, client, received, events } = call;
    const sent = JSON.stringify(received.at(-1)?.params.prompt ?? []);
    const witness = witnessOf(sent, strategy.witnesses);
    if (witness === undefined) return;
    const covered = witnessedTexts(witness, textOf);
    const applied = events.findLast((event) => event.type === 'applied');
    // What was said of a beginning that two conversations have in common is part of the record of the other one, too.
    const told = (applied && records.get(applied.recordId)) ?? covered;
    for (const { scope, texts, witnesses } of heard)
      if (
        scope === scopeOf(client) &&
        [covered, told].every((each) => isSame(each, texts.slice(0, each.length)))
      )
        expect(oldestOf(witness, strategy)).toBeGreaterThanOrEqual(witnesses);
  },
};

/** What is observed of the calls that were made at once. */
const checksOfAll: Readonly<Record<string, (calls: readonly Call[], world: World) => unknown>> = {
  'P63: nothing is paid by two at once': (calls, { strategy, textOf }) => {
    if (!['none', 'takes 5 s'].includes(strategy.fault)) return;
    const paid = calls
      // Behind an erasure it is paid anew.
      .filter((call) => call.isHealthy && !call.isErased && call.sending.force !== 'to order')
      .flatMap(({ paid: all, written }) =>
        all.map((messages) => JSON.stringify([written.from, ...messages.map(textOf)])),
      );
    if (!calls.some(({ isAborted }) => isAborted)) expect(paid).toEqual([...new Set(paid)]);
  },

  'P49: what is erased stays out of the store': async (_calls, { erasures, strategy }) => {
    for (const { stored, witnesses } of erasures)
      for (const text of await stored()) {
        const witness = witnessOf(text, strategy.witnesses);
        if (witness !== undefined)
          expect(oldestOf(witness, strategy)).toBeGreaterThanOrEqual(witnesses);
      }
  },
};

/** The number of the oldest summary that one goes on with. */
function oldestOf(witness: Witness, { witnesses }: Pick<FaultyStrategy, 'witnesses'>): number {
  const number = witnesses.indexOf(witness);
  return witness.parent === undefined ? number : oldestOf(witness.parent, { witnesses });
}

/** Whether of a conversation nothing is sent but the user's latest message and what the assistant did last. */
function isLeast(
  sent: readonly Message[],
  given: readonly Message[],
  placement: string | undefined,
): boolean {
  const last = given.findLastIndex(({ role }) => role === 'user' || role === 'system');
  const summaries = placement === 'user' ? 1 : 0;
  const said = sent.filter(({ role }) => role !== 'system').length;
  return said <= summaries + 1 + given.slice(last + 1).length;
}

function hasFiles(prompt: readonly Message[]): boolean {
  return JSON.stringify(prompt).includes('"type":"file"');
}

function outcomeOf({ given, received, error, events }: Call) {
  return { given, sent: received.at(-1)?.params, error, events };
}

/** A call that sent a whole conversation, taken apart. */
function readWhole(call: Call): Reading | undefined {
  if (call.received.length === 0 || call.written.from > 0) return undefined;
  const { client, process } = call;
  return readOutcome(outcomeOf(call), client.provider, process.options.placement);
}

function textsOf({ content }: Message): readonly string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/**
 * Whether a summary of messages may stand in a call. With an id, what begins within what the summary stands for is a
 * window on it: whoever deletes the beginning of a conversation sends one too.
 */
function mayStandFor(covered: readonly CoveredText[], { written, client }: Call): boolean {
  const { texts, from } = written;
  if (isSame(covered, texts.slice(0, covered.length))) return true;
  if (client.conversationId === undefined) return false;
  // A conversation may say the same twice, so each place is tried at which it may end.
  return texts.some((_, index) => {
    const shown = texts.slice(from, index + 1);
    return shown.length > 0 && isSame(covered.slice(-shown.length), shown);
  });
}

/** A message that a summary stands for, by its text; `undefined` where only rules have read it. */
type CoveredText = string | undefined;

function isSame(covered: readonly CoveredText[], texts: readonly string[]): boolean {
  return (
    covered.length === texts.length &&
    covered.every((text, index) => text === undefined || text === texts[index])
  );
}

/** Whether no group spans the place behind so many messages. */
function isCut({ given, written }: Call, count: number): boolean {
  const [, conversation] = split(given.prompt);
  return written.texts.length > count && conversation[count]?.role !== 'tool';
}

/** What is broken in calls that were made at once. */
export async function violations(calls: readonly Call[], world: World): Promise<readonly string[]> {
  const found: string[] = [];
  const held = async (name: string, check: () => unknown): Promise<void> => {
    try {
      await check();
    } catch (error) {
      found.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  for (const call of calls)
    for (const [name, check] of Object.entries(checks)) await held(name, () => check(call, world));
  for (const [name, check] of Object.entries(checksOfAll))
    await held(name, () => check(calls, world));
  return found;
}
