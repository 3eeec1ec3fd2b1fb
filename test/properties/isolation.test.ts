import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryStore, type SummaryRecord } from '../../src/index.ts';
import { omittedSummary, renderSummary } from '../../src/injection/render-summary.ts';
import type { Message } from '../../src/prompt/prompt-types.ts';
import { storeKeys } from '../../src/state/store-keys.ts';
import { fillTemplate } from '../../src/prompts/fill-template.ts';
import { configs } from './generators/config-plan.ts';
import { hostileFragments, writeText } from './generators/texts.ts';
import { traces, type TracePlan } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { rig } from './rig/run-call.ts';
import { runPlan, stage } from './rig/run-plan.ts';

vi.setConfig({ testTimeout: 30_000 });

const hostileTexts = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostileFragments)), {
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));
const anyNames = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', 'a:b', '\0'));

describe('store keys', () => {
  it('of two namespaces never meet, whatever their fields are (P42)', async () => {
    const fields = fc.array(anyNames, { maxLength: 3 });
    await checkProperty(
      fc.asyncProperty(anyNames, anyNames, fields, fields, async (a, b, fieldsA, fieldsB) => {
        fc.pre(a !== b);
        const keyA = await storeKeys('one secret', a).key(...fieldsA);
        const keyB = await storeKeys('one secret', b).key(...fieldsB);
        expect(keyA).not.toBe(keyB);
      }),
      500,
    );
  });

  it('keep apart namespaces that differ in broken characters only (P42)', async () => {
    const [a, b] = ['\ud800', '\ud801'];
    expect(await storeKeys('one secret', a).key('x')).not.toBe(
      await storeKeys('one secret', b).key('x'),
    );
  });

  it('let no tenant read what another one stored (P42)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        configs({ fullness: [90, 130], ratioOnly: true }),
        async (plan, config) => {
          const store = memoryStore();
          const first = await runPlan(plan, config, { store, namespace: 'tenant-a' });
          const second = await runPlan(plan, config, { store, namespace: 'tenant-b' });
          expect(second.strategy.inputs).toHaveLength(first.strategy.inputs.length);
        },
      ),
      100,
    );
  });
});

describe('a summary in the prompt', () => {
  it('is one record whatever texts it holds (P43)', () => {
    const list = fc.array(hostileTexts, { maxLength: 3 });
    const records = fc.record({
      id: fc.constant('0123456789abcdef'),
      depth: fc.nat(9),
      summary: hostileTexts,
      keyPoints: list,
      context: fc.record({
        participants: list,
        decisions: list,
        actionItems: fc.array(fc.record({ task: hostileTexts, owner: hostileTexts })),
        unresolved: list,
        domainEntities: list,
        constraints: list,
      }),
    });
    fc.assert(
      fc.property(records, list, (record, userMessages) => {
        const rendered = renderSummary(record, { userMessages });
        const parsed = parseEnvelope(rendered);
        expect(parsed.depth).toBe(record.depth);
        expect(parsed.content['summary']).toBe(record.summary.toWellFormed());
        expect(parsed.content['keyPoints'] ?? []).toEqual(
          record.keyPoints.map((text) => text.toWellFormed()),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('reaches the model whole (P43)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ huge: true, hostile: true, minTurns: 3 }),
        configs(),
        fc.array(hostileTexts, { maxLength: 5 }),
        async (plan, config, userMessages) => {
          const content = {
            summary: `s ${userMessages.join(' ')}`,
            keyPoints: userMessages,
            context: emptyContext,
          };
          const usage = { inputTokens: 0, outputTokens: 0 };
          const { outcome } = await runPlan(plan, config, {
            strategy: { name: 'any', summarize: () => Promise.resolve({ content, usage }) },
          });
          if (outcome.sent === undefined) return;
          const { summary } = readOutcome(outcome, config.provider, config.placement);
          if (summary !== undefined) parseEnvelope(summary);
        },
      ),
      400,
    );
  });
});

describe('a summary folded into a user message', () => {
  it('reaches the model whole when the rest has to be shortened (P43)', async () => {
    const text = (seed: number, size: number): string =>
      writeText({ seed, words: size, extra: '' });
    const user = (seed: number, size: number): Message => ({
      role: 'user',
      content: [{ type: 'text', text: text(seed, size) }],
    });
    const assistant = (seed: number, size: number): Message => ({
      role: 'assistant',
      content: [{ type: 'text', text: text(seed, size) }],
    });
    const old = Array.from({ length: 30 }, (_, seed) =>
      seed % 2 === 0 ? user(seed, 100) : assistant(seed, 100),
    );
    const content = { summary: text(1, 1400), keyPoints: [], context: emptyContext };
    const usage = { inputTokens: 0, outputTokens: 0 };
    const { call } = rig({
      contextLength: 16_000,
      placement: 'user',
      preserveRecent: 3,
      preserveRecentTokenRatio: 0,
      strategy: { name: 'long', summarize: () => Promise.resolve({ content, usage }) },
    });
    const outcome = await call({
      prompt: [...old, user(2, 900), assistant(3, 20), user(4, 14_000)],
    });
    expect(outcome.events.map(({ type }) => type)).toContain('recovered');
    const { summary } = readOutcome(outcome, 'openai.responses', 'user');
    expect(parseEnvelope(summary ?? '').content['summary']).toBe(content.summary);
  });
});

describe('what a conversation says', () => {
  it('never decides what is kept (P44, P45)', async () => {
    const forced = { summarization: { force: true } };
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        // Far below the limit, so that sizes decide nothing: what is kept is a matter of counting.
        configs({ fullness: [2, 4], ratioOnly: true }),
        fc.constantFrom(...hostileFragments),
        async (plan, config, fragment) => {
          const alike = { ...config, preserveRecentTokenRatio: 0, triggerTokenRatio: 1 };
          const keptOf = async (extra: string): Promise<readonly number[] | undefined> => {
            const { call, params } = await stage(withExtra(plan, extra), alike);
            const outcome = await call({ ...params, providerOptions: forced });
            if (outcome.events.some(({ type }) => type === 'failed')) return undefined;
            const { kept, tail } = readOutcome(outcome, config.provider, config.placement);
            return [...kept, ...tail].map(({ index }) => index);
          };
          const [tame, wild] = [await keptOf('harmless'), await keptOf(fragment)];
          if (tame !== undefined && wild !== undefined) expect(wild).toEqual(tame);
        },
      ),
      150,
    );
  });

  it('does not change the prototype of objects (P46)', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    await checkProperty(
      fc.asyncProperty(traces({ hostile: true }), configs(), async (plan, config) => {
        await runPlan(plan, config);
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
        expect(Reflect.get({}, 'polluted')).toBeUndefined();
      }),
      100,
    );
  });
});

describe('a filled template', () => {
  it('holds the inserted text exactly once, to the letter (P47)', () => {
    fc.assert(
      fc.property(hostileTexts, (content) => {
        expect(fillTemplate('before {content} after', { content })).toBe(`before ${content} after`);
      }),
      { numRuns: 500 },
    );
  });
});

const emptyContext: SummaryRecord['context'] = {
  participants: [],
  decisions: [],
  actionItems: [],
  unresolved: [],
  domainEntities: [],
  constraints: [],
};

/** Puts a text into every text of a conversation. */
function withExtra(plan: TracePlan, extra: string): TracePlan {
  const copy: TracePlan = JSON.parse(JSON.stringify(plan), (key, value: unknown) =>
    key === 'extra' ? extra : value,
  );
  return copy;
}

/** Reads a rendered summary back; throws unless it is exactly one envelope with one line of JSON. */
function parseEnvelope(rendered: string): {
  readonly depth: number;
  readonly content: Readonly<Record<string, unknown>>;
} {
  const lines = rendered.split(/[\n\r\u2028\u2029]/u);
  expect(lines).toHaveLength(4);
  const [head = '', , body = '', foot = ''] = lines;
  const depth = /^\[summary-depth:(\d+)\] [0-9a-f]{16}$/.exec(head)?.[1];
  expect(foot).toBe(`[/summary-depth:${depth}]`);
  expect(rendered.match(/\[\/?summary-depth:/g)).toHaveLength(2);
  if (body === omittedSummary) return { depth: Number(depth), content: {} };
  const content: unknown = JSON.parse(body);
  if (typeof content !== 'object' || content === null) throw new Error('The body is no object.');
  return { depth: Number(depth), content: { ...content } };
}
