import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Message, SummarizationOptions } from '../../src/index.ts';
import { parseEnvelope } from '../properties/rig/parse-envelope.ts';
import { readOutcome } from '../properties/rig/read-outcome.ts';
import { type Outcome, rig } from '../properties/rig/run-call.ts';
import { structureChecks } from '../properties/rig/structure-checks.ts';
import { words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { summaryFields } from '../support/summary-fields.ts';
import { settled, stopTime } from '../support/virtual-time.ts';
import { hostileCarriers, hostileSummaries, hostileTexts } from './hostile-words.ts';

/** Where a summary may stand. */
const placements = ['system', 'system-merged', 'user'] as const;

/** One call of a conversation whose summaries follow one another. */
interface Generation {
  readonly given: readonly Message[];
  readonly outcome: Outcome;
  /** The rendered summary and its JSON; `undefined` where none was sent. */
  readonly summary: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

const provider = 'openai.responses';
const count = 3;

/** Sends a conversation that grows, so that a summary is due with each call, and checks what is sent. */
async function generations(
  options: SummarizationOptions & { readonly placement: (typeof placements)[number] },
  payload: readonly Message[] = [],
): Promise<readonly Generation[]> {
  const { call } = rig({ contextLength: 4000, cooldownMessages: 0, ...options }, provider);
  const given: Message[] = [{ role: 'system', content: 'You are terse.' }];
  const groups = [0];
  const made: Generation[] = [];
  for (let generation = 0; generation < count; generation += 1) {
    const added = [says(generation * 100), ...fresh(payload, generation), ...talk(generation)];
    for (const message of added) {
      given.push(message);
      groups.push((groups.at(-1) ?? 0) + (message.role === 'tool' ? 0 : 1));
    }
    const providerOptions = { summarization: { force: true } };
    const outcome = await settled(call({ prompt: [...given], providerOptions }));
    made.push(read(outcome, options.placement, { prompt: [...given], groups: [...groups] }));
  }
  return made;
}

function read(
  outcome: Outcome,
  placement: (typeof placements)[number],
  trace: { readonly prompt: Message[]; readonly groups: readonly number[] },
): Generation {
  expect(outcome.error).toBeUndefined();
  const reading = readOutcome(outcome, provider, placement);
  for (const check of Object.values(structureChecks)) check({ trace, outcome, reading });
  const { summary } = reading;
  const content = summary === undefined ? {} : parseEnvelope(summary).content;
  const sent = JSON.stringify(outcome.sent?.prompt);
  expect(sent).not.toContain('CANARY');
  if (summary !== undefined) expect(summary).not.toMatch(hidden);
  expect(
    Object.keys(content).filter((key) => key !== 'minutes' && !summaryFields.has(key)),
  ).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  return { given: trace.prompt, outcome, summary, content };
}

/** What no text of a summary may hold: direction marks, tags, what has no width, controls, halves of a letter. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- they are the point
  /[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}\0-\t\v-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/u;

function says(seed: number): Message {
  return { role: 'user', content: [{ type: 'text', text: `Task ${seed}: ${words(seed, 30)}` }] };
}

function talk(generation: number): Message[] {
  return Array.from({ length: 18 }, (_, index): Message => {
    const seed = generation * 100 + index + 1;
    const text = `Word ${seed}: ${words(seed, 170)}`;
    if (index % 2 === 1) return says(seed);
    return { role: 'assistant', content: [{ type: 'text', text }] };
  });
}

/** The same messages with ids of their own. */
function fresh(payload: readonly Message[], generation: number): Message[] {
  let ids = 0;
  return payload.map((message) => {
    if (message.role === 'assistant' && JSON.stringify(message).includes('"toolCallId"')) ids += 1;
    const copy: Message = JSON.parse(JSON.stringify(message), (key, value: unknown) =>
      key === 'toolCallId' ? `call${generation}x${ids}` : value,
    );
    return copy;
  });
}

beforeAll(stopTime);
afterAll(() => {
  vi.useRealTimers();
});

const texts = hostileTexts.map((text, index) => ({
  text,
  index,
  shown: JSON.stringify(text).slice(0, 60),
}));

describe.each(placements)('with the summary placed as %s', (placement) => {
  it.each(texts)('text $index stays data in every carrier: $shown', async ({ text, index }) => {
    const payload = hostileCarriers.flatMap((carry) => carry(text));
    const parrot = summarizerModel(
      answer({ summary: `They said: ${text}`, keyPoints: [text], context: { decisions: [text] } }),
    );
    // Three times in 15 places, so that nothing has to be shortened.
    const contextLength = 8000 + 4 * 45 * text.length;
    const writer =
      index % 2 === 0
        ? { summarizerModelPreference: parrot }
        : ({ strategy: 'rule-based' } as const);
    const made = await generations({ placement, contextLength, ...writer }, payload);
    for (const { summary } of made) expect(summary).toBeDefined();
  });
});

describe.each(placements)('a summariser, with the summary placed as %s, that', (placement) => {
  it.each(hostileSummaries())('$name, changes strings of the record alone', async ({ model }) => {
    const made = await generations({ placement, summarizerModelPreference: model });
    expect(made.at(-1)?.summary).toBeDefined();
    for (const { content, given } of made) {
      const said = JSON.stringify(given);
      // Rules are sentences of the user, whoever else writes some.
      for (const rule of listOf(content['constraints'])) expect(said).toContain(rule);
      expect(JSON.stringify(content).length).toBeLessThan(8000);
    }
  });
});

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
