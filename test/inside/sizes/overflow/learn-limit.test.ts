import { expect, it } from 'vitest';
import { readOptions } from '../../../../src/call/options/read-options.ts';
import { resolvePolicy } from '../../../../src/call/options/resolve-policy.ts';
import { LearnedLimits, learnLimit } from '../../../../src/sizes/overflow/learned-limits.ts';

type Overflow = Parameters<typeof learnLimit>[0];
type Refused = Parameters<typeof learnLimit>[1];

const model = { provider: 'openai.responses', modelId: 'gpt-test' };
const sent = (sentTokens: number, more = {}): Refused => ({ sentTokens, ...more });
const room = { maxOutputTokens: 400 };

it.each<[string, Overflow, Refused, number]>([
  ['nothing but that it was too long', {}, sent(1000), 800],
  ['a count four times ours', { limit: 1200, tokens: 4000 }, sent(1000), 285],
  ['room for an answer', { limit: 1000, tokens: 900, answerTokens: 300 }, sent(900), 665],
  ["the caller's answer", { limit: 1000, answerTokens: 300 }, sent(900, room), 570],
  ['an answer as large as all', { limit: 1000, answerTokens: 1000 }, sent(900), 475],
  ['a limit of the prompt alone', { limit: 1000, isInputLimit: true }, sent(1100, room), 950],
])('makes of %s a limit that the next prompt keeps to', (_what, overflow, refused, limit) => {
  const { maxOutputTokens } = refused;
  const learned = learnLimit(overflow, refused);
  const params = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const policy = resolvePolicy(readOptions({ contextLength: 100_000 }), model, params, learned);
  expect(policy.limit).toBe(limit);
});

const input = { limit: 3000, isInputLimit: true };

it.each<[string, Overflow, Refused, number]>([
  ['a count half of the stated', { ...input, tokens: 1000 }, sent(500), 0.475],
  ['a smaller one', { ...input, tokens: 1000 }, sent(499), 0.5],
  ['a count twice the stated', { ...input, tokens: 1000 }, sent(2000), 0.95],
  ['a larger one', { ...input, tokens: 1000 }, sent(2400), 0.64],
  ['a prompt as large as the limit', input, sent(3000), 0.8],
  ['an answer as large as all', { limit: 1000, answerTokens: 1000 }, sent(450), 0.72],
])('makes of %s a share that is filled', (_what, overflow, refused, share) => {
  expect(learnLimit(overflow, refused).usableShare).toBeCloseTo(share, 6);
});

const of = (limit: object): ReturnType<typeof learnLimit> => ({ usableShare: 1, ...limit });

it('forgets a limit of the prompt that is contradicted by more than counts differ', () => {
  const limits = new LearnedLimits();
  limits.remember('p', of({ inputLimit: 400 }), { evidence: 'stated', refusedTokens: 1000 });
  limits.accept('p', 500);
  expect(limits.recall('p').limit).toBeDefined();
  limits.accept('p', 501);
  expect(limits.recall('p').limit).toBeUndefined();
});
