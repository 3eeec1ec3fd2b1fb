import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenMeasure, type TokenMeasure } from '../../../src/sizing/token-measure.ts';
import { ContextOverflowError, type Message } from '../../../src/index.ts';
import { omittedSummary, renderSummary } from '../../../src/composing/render-summary.ts';
import { readOptions } from '../../../src/options/read-options.ts';
import { resolvePolicy } from '../../../src/options/resolve-policy.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { cutTexts } from '../../../src/fitting/shorter-messages.ts';
import { configs, type ConfigPlan } from '../../properties/generators/config-plan.ts';
import { traces } from '../../properties/generators/trace-plan.ts';
import { plainRates } from '../../../src/sizing/calibration.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';
import { readOutcome, split } from '../../properties/rig/read-outcome.ts';
import { runPlan, type Stage } from '../../properties/rig/run-plan.ts';

const model = (config: ConfigPlan) => ({ provider: config.provider, modelId: 'gpt-test' });

async function measureOf({ params }: Stage, config: ConfigPlan): Promise<TokenMeasure> {
  return tokenMeasure(params, model(config), plainRates(1));
}

function policyOf({ options, params }: Stage, config: ConfigPlan) {
  return resolvePolicy(readOptions(options), model(config), params);
}

describe('the size of the prompt that is sent', () => {
  it('never grows, and is below the limit, or the call is refused because nothing legal fits (P22, P23)', async () => {
    await checkProperty(
      fc.asyncProperty(traces({ huge: true, hostile: true }), configs(), async (plan, config) => {
        const run = await runPlan(plan, config);
        const { limit } = policyOf(run, config);
        const measure = await measureOf(run, config);
        const { given, sent, error, events } = run.outcome;
        expect(measure.leastPrompt(sent?.prompt ?? [])).toBeLessThanOrEqual(limit);
        const before = measure.prompt(given.prompt);
        const after = measure.prompt(sent?.prompt ?? []);
        const isSummarised = sent !== undefined && events.some(({ type }) => type === 'end');
        expect(after).toBeLessThanOrEqual(before);
        expect(after).toBeLessThan(isSummarised ? before : Number.POSITIVE_INFINITY);
        if (sent !== undefined) return;
        expect(ContextOverflowError.isInstance(error)).toBe(true);
        const smallest = await smallestLegal(run);
        if (smallest === undefined) return;
        // Give or take an empty message or two, which may stand on either side of the cut.
        expect(measure.leastPrompt(smallest), 'of a legal prompt').toBeGreaterThan(limit - 16);
      }),
      600,
    );
  });

  it('stays as it is when it is sent through once more; below the trigger it is the given object (P24, P25)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ hostile: true }),
        configs({ fullness: [5, 130], ratioOnly: true }),
        async (plan, config) => {
          const run = await runPlan(plan, config);
          const { given, sent } = run.outcome;
          const { limit, triggerTokenRatio } = policyOf(run, config);
          const measure = await measureOf(run, config);
          const isBelow = (prompt: readonly Message[]): boolean =>
            measure.prompt(prompt) < limit * triggerTokenRatio;
          expect(isBelow(given.prompt) ? sent : given).toBe(given);
          if (sent === undefined) return;
          const again = await run.call(given);
          expect(again.events.filter(({ type }) => type === 'start')).toEqual([]);
          expect(JSON.stringify(again.sent?.prompt)).toBe(JSON.stringify(sent.prompt));
          if (!isBelow(sent.prompt)) return;
          const through = await run.call(sent);
          expect(through.sent).toBe(sent);
        },
      ),
      600,
    );
  });

  it('does not make the next summary due before the prompt has grown (P26)', async () => {
    const addition: Message[] = [
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
    ];
    await checkProperty(
      fc.asyncProperty(
        traces({ endings: ['user'] }),
        configs({ fullness: [70, 120], ratioOnly: true }),
        async (plan, config) => {
          const run = await runPlan(plan, config);
          const { given, events } = run.outcome;
          const ended = events.find((event) => event.type === 'end');
          const policy = policyOf(run, config);
          if (ended === undefined || ended.tokensAfter >= policy.limit) return;
          const gap = policy.limit * (policy.triggerTokenRatio - policy.resetTokenRatio);
          const step = (await measureOf(run, config)).messages(addition);
          let prompt = given.prompt;
          let added = step;
          for (; added < gap && added + ended.tokensAfter < policy.limit; added += step) {
            prompt = prompt.concat(addition);
            const next = await run.call({ ...given, prompt });
            expect(next.events.filter(({ type }) => type === 'start')).toEqual([]);
            if (added > 12 * step) break;
          }
        },
      ),
    );
  });

  it('holds a summary within its budget, whatever the strategy writes (P27)', async () => {
    const list = fc.array(fc.string({ maxLength: 300, unit: 'binary' }), { maxLength: 30 });
    const contents = fc.record({
      summary: fc.string({ minLength: 1, maxLength: 4000 }).map((text) => `a${text}`),
      keyPoints: list,
      context: fc.record({
        participants: list,
        decisions: list,
        actionItems: fc.array(fc.record({ task: fc.string({ maxLength: 400 }) }), {
          maxLength: 40,
        }),
        unresolved: list,
        domainEntities: list,
        constraints: list,
      }),
    });
    await checkProperty(
      fc.asyncProperty(
        traces({ huge: true, minTurns: 6 }),
        configs({ fullness: [80, 130], ratioOnly: true }),
        contents,
        async (plan, config, content) => {
          const usage = { inputTokens: 0, outputTokens: 0 };
          const run = await runPlan(
            plan,
            { ...config, preserveUserTurns: false },
            {
              strategy: { name: 'any', summarize: () => Promise.resolve({ content, usage }) },
            },
          );
          const { outcome } = run;
          const trimmed = outcome.events.some(({ type }) => type === 'recovered');
          if (outcome.sent === undefined || trimmed) return;
          const { summary } = readOutcome(outcome, config.provider, config.placement);
          const { maxSummaryTokens } = policyOf(run, config);
          if (summary === undefined || maxSummaryTokens < 100) return;
          const measure = await measureOf(run, config);
          expect(measure.message({ role: 'system', content: summary })).toBeLessThanOrEqual(
            maxSummaryTokens,
          );
        },
      ),
    );
  });
});

/**
 * The least that is legal by the rules of the design, put together without the stages under test: the
 * system messages, a summary that says nothing, the last user message, the last groups of at least two
 * messages, tool outputs cut to 200 characters. `undefined` when there is nothing to leave out.
 */
async function smallestLegal({ trace }: Stage): Promise<readonly Message[] | undefined> {
  const [systems, conversation] = split(trace.prompt);
  const groups = trace.groups.slice(systems.length);
  const starts = [...conversation.keys()].filter((index) => groups[index] !== groups[index - 1]);
  const cut = starts.findLast((index) => conversation.length - index >= 2);
  if (cut === undefined || cut < 4) return undefined;
  const covered = conversation.slice(0, cut);
  const tail = conversation.slice(cut);
  const anchor =
    tail[0]?.role === 'user' ? [] : covered.filter(({ role }) => role === 'user').slice(-1);
  const summary = renderSummary({ ...emptyContent(omittedSummary), id: '0'.repeat(16), depth: 3 });
  const rest = [...covered.filter(({ role }) => role === 'system'), ...anchor, ...tail];
  const roomForTheRest = [...systems, { role: 'system', content: summary } as const, ...rest];
  const latestUser = rest.findLast(({ role }) => role === 'user');
  return roomForTheRest.map((message) =>
    message === latestUser ? message : cutTexts(message, 200),
  );
}
