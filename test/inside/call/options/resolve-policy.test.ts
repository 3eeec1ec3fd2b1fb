import { expect, it } from 'vitest';
import type { SummarizationOptions } from '../../../../src/index.ts';
import type { LearnedLimit } from '../../../../src/sizes/overflow/learned-limits.ts';
import { readOptions } from '../../../../src/call/options/read-options.ts';
import { answerReserve, resolvePolicy } from '../../../../src/call/options/resolve-policy.ts';
import type { Policy } from '../../../../src/planning/plan/plan.ts';

const mini = { provider: 'openai.responses', modelId: 'gpt-5-mini' };
const nobody = { provider: 'nobody', modelId: 'nothing' };
const claude = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' };
const to = (maxOutputTokens: number) => ({ maxOutputTokens });
const byName = { 'openai.responses': { preserveRecent: 3 } };
const byModel = { 'openai:gpt-5-mini': { preserveRecent: 4 } };
const places: SummarizationOptions['providers'] = {
  'openai.responses:gpt-5-mini': { placement: 'user' },
  'openai:gpt-5-mini': { placement: 'system' },
};
const meeting = {
  openai: { resetTokenRatio: 0.7 },
  'openai:gpt-5-mini': { triggerTokenRatio: 0.5 },
};
const loud = { 'OpenAI:GPT-5-mini': { preserveRecent: 4 }, OPENAI: { preserveRecent: 9 } };
const others = { 'openai:gpt-5': { preserveRecent: 9 }, open: { preserveRecent: 8 } };
const own = (overrides: object): SummarizationOptions => ({ providers: { openai: overrides } });
const double = { tokenMultiplier: 2 };
const length = { contextLength: 4000 };
const six = { contextLength: 6000 };
const refused = { inputLimit: 4000, usableShare: 1 };
const learnt = { contextLength: 9000, answerTokens: 1500, usableShare: 0.9 };
const lowAims = { triggerTokenRatio: 0.5, resetTokenRatio: 0.4375 };
const defaults: Partial<Policy> = {
  triggerTokenRatio: 0.8,
  resetTokenRatio: 0.7,
  minMessages: 12,
  cooldownMessages: 4,
  preserveRecent: 6,
  preserveRecentTokenRatio: 0.1,
  maxSummaryTokens: 16_000,
  maxSummaryChainDepth: 3,
  atMaxDepth: 'rebase',
  placement: 'auto',
  contextLength: 400_000,
  contextLengthKnown: true,
  // The provider's limit of the prompt alone.
  limit: 272_000,
  tokenMultiplier: 1,
  tokenMultiplierGiven: false,
  ahead: false,
};

it.each<[string, SummarizationOptions, Partial<Policy>, typeof mini?, object?, LearnedLimit?]>([
  ['the defaults', {}, defaults],
  ['a summary of a sixteenth', { contextLength: 64_000 }, { maxSummaryTokens: 4000 }],
  ['one of a tenth of a small context', { contextLength: 3000 }, { maxSummaryTokens: 300 }],
  ['a cheap one', { optimizeFor: 'cost', contextLength: 64_000 }, { maxSummaryTokens: 2500 }],
  ['one for a low trigger', { tokenThreshold: 8001 }, { maxSummaryTokens: 1001 }],
  ['one that can say something', { tokenThreshold: 800 }, { maxSummaryTokens: 250 }],
  ['summaries ahead', { background: true }, { ahead: true, tokenMultiplierGiven: false }],
  ['none at all', { strategy: 'none', background: true }, { ahead: false }],
  ['an unknown model', {}, { contextLength: 128_000, contextLengthKnown: false }, nobody],
  ['a length', { contextLength: 5000 }, { limit: 5000, contextLengthKnown: true }, nobody],
  ['one by function', { contextLength: ({ modelId }) => modelId.length * 99 }, { limit: 990 }],
  ['the table for no length', { contextLength: () => Number.NaN }, { contextLength: 400_000 }],
  ['the table for a small one', { contextLength: () => 0.9 }, { contextLength: 400_000 }],
  ['whole tokens', { contextLength: () => 1.9 }, { contextLength: 1 }],
  ['a multiplier', own(double), { ...double, tokenMultiplierGiven: true }],
  ['no limit beside a length', { contextLength: 400_000 }, { limit: 400_000 }],
  ['room for the answer', { contextLength: 5000 }, { limit: 4000 }, mini, to(1000)],
  ['half for it at most', { contextLength: 5000 }, { limit: 2500 }, mini, to(4000)],
  ['what was learned', {}, { contextLength: 9000, limit: 7200 }, mini, to(1000), learnt],
  ['a smaller length', six, { ...six, limit: 4050 }, nobody, {}, learnt],
  ['a learned limit', {}, { limit: 4000, contextLengthKnown: true }, nobody, {}, refused],
  ['an aim below a low trigger', { triggerTokenRatio: 0.5 }, lowAims],
  ['aims of two overrides', { providers: meeting }, lowAims],
  ['a multiplier of the model', {}, { tokenMultiplier: 1.35 }, claude],
  ['a family', { preserveRecent: 9, ...own({ preserveRecent: 2 }) }, { preserveRecent: 2 }],
  ['a model before both', { providers: { ...byModel, ...byName } }, { preserveRecent: 4 }],
  ['the whole name before all', { providers: places }, { placement: 'user' }],
  ['names in any case', { providers: loud }, { preserveRecent: 4 }],
  ['no other model', { providers: others }, { preserveRecent: 6 }],
  ['no prototype', {}, { preserveRecent: 6 }, { provider: 'constructor', modelId: '__proto__' }],
  ['a length before the function', { contextLength: () => 9000, ...own(length) }, length],
])('resolvePolicy gives %s', (_name, options, policy, model = mini, params = {}, learned) => {
  expect(resolvePolicy(readOptions(options), model, params, learned)).toMatchObject(policy);
});

const thinking = (type: string) => ({ anthropic: { thinking: { type, budgetTokens: 5000 } } });
const google = (thinkingBudget: number) => ({ google: { thinkingConfig: { thinkingBudget } } });
const vertex = { vertex: { thinkingConfig: { thinkingBudget: 3000 } } };
const bedrock = { bedrock: { reasoningConfig: { budgetTokens: 2000 } } };

it.each([
  ['the answer', to(1000), 1000],
  ['Anthropic', { ...to(1000), providerOptions: thinking('enabled') }, 6000],
  ['thinking that is off', { providerOptions: thinking('disabled') }, undefined],
  ['Bedrock', { ...to(1000), providerOptions: bedrock }, 3000],
  ['Google, of whose answer it is a part', { ...to(1000), providerOptions: google(4000) }, 4000],
  ['Vertex', { ...to(1000), providerOptions: vertex }, 3000],
  ['a smaller part of it', { ...to(1000), providerOptions: google(400) }, 1000],
  ['no budget', { providerOptions: { anthropic: { thinking: { budgetTokens: '9' } } } }, undefined],
  ['no answer', to(0), 0],
  ['a dynamic budget', { providerOptions: google(-1) }, undefined],
])('answerReserve keeps room for %s', (_, params, reserve) => {
  expect(answerReserve(params)).toBe(reserve);
});
