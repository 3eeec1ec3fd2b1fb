import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callCounter,
  measureWith,
  type TokenMeasure,
} from '../../../src/planning/sizing/token-measure.ts';
import { ContextOverflowError, type Message } from '../../../src/index.ts';
import { omittedSummary, renderSummary } from '../../../src/planning/composing/render-summary.ts';
import { readOptions } from '../../../src/call/options/read-options.ts';
import { resolvePolicy } from '../../../src/call/options/resolve-policy.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { cutTexts } from '../../../src/call/fitting/shorter-messages.ts';
import { configs, type ConfigPlan } from '../../properties/generators/config-plan.ts';
import { traces } from '../../properties/generators/trace-plan.ts';
import { plainRates } from '../../../src/planning/sizing/calibration.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';
import { split } from '../../properties/rig/read-outcome.ts';
import { runPlan, type Stage } from '../../properties/rig/run-plan.ts';

const model = (config: ConfigPlan) => ({ provider: config.provider, modelId: 'gpt-test' });

async function measureOf({ params }: Stage, config: ConfigPlan): Promise<TokenMeasure> {
  return measureWith(await callCounter(params, model(config)), plainRates(1));
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
        const isSummarized = sent !== undefined && events.some(({ type }) => type === 'end');
        expect(after).toBeLessThanOrEqual(before);
        expect(after).toBeLessThan(isSummarized ? before : Number.POSITIVE_INFINITY);
        if (sent !== undefined) return;
        expect(ContextOverflowError.isInstance(error)).toBe(true);
        const smallest = await smallestLegal(run);
        if (smallest === undefined) return;
        // Give or take an empty message or two, which may stand on either side of the cut.
        expect(measure.leastPrompt(smallest), 'of a legal prompt').toBeGreaterThan(limit - 16);
      }),
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
          // Files of tools count as this provider is sent them, and may be sent in another form.
          const isBelow = (prompt: readonly Message[]): boolean =>
            (config.provider !== 'lmstudio.chat' || !prompt.some(holdsToolFile)) &&
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

function holdsToolFile({ role, content }: Message): boolean {
  return (
    role === 'tool' &&
    content.some((part) => part.type === 'tool-result' && part.output.type === 'content')
  );
}
