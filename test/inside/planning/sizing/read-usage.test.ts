import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { readUsage } from '../../../../src/planning/sizing/usage.ts';
import { untyped } from '../../../support/untyped.ts';

const stored = { cacheRead: 4, cacheWrite: 3 };
type Input = Partial<LanguageModelV4Usage['inputTokens']>;

describe('readUsage', () => {
  it.each<[string, Input, number | undefined]>([
    ['a total', { total: 100 }, 100],
    ['a total of parts', { total: 9, noCache: 5, cacheRead: 3, cacheWrite: 1 }, 9],
    ['parts without a total', { noCache: 60, cacheRead: 30, cacheWrite: 10 }, 100],
    ['a total beside what was read from a cache', { total: 60, noCache: 60, cacheRead: 30 }, 90],
    ['a total less than what is new', { total: 60, noCache: 61, cacheRead: 30 }, 91],
    ['a total that was all read from a cache', { total: 60, cacheRead: 60 }, 60],
    ['a total less than what the cache held', { total: 60, cacheRead: 41, cacheWrite: 20 }, 121],
    ['a total that is no number', { total: Number.NaN, noCache: 50, cacheRead: 10 }, 60],
    ['a cache that is no number', { total: 60, cacheRead: Number.NaN, cacheWrite: -1 }, 60],
    ['a total of 0, whatever is new', { total: 0, noCache: 50 }, undefined],
    ['what the cache held alone', { cacheRead: 50 }, undefined],
    ['no figure', {}, undefined],
  ])('reads %s', (_what, input, expected) => {
    expect(readUsage(untyped({ inputTokens: input }))?.inputTokens).toBe(expected);
  });

  it.each([
    ['the answer', {}, { total: 9, reasoning: 4 }, { outputTokens: 9, reasoningTokens: 4 }],
    ['what is no figure of it', {}, { total: Number.NaN, reasoning: -1 }, {}],
    ['no answer', {}, undefined, {}],
    ['the cache', stored, undefined, { cacheReadTokens: 4, cacheWriteTokens: 3 }],
    ['what is no figure of that', { cacheRead: Number.NaN, cacheWrite: -1 }, undefined, {}],
  ])('reads of a usage %s', (_what, input, outputTokens, expected) => {
    const usage = { inputTokens: { total: 7, ...input }, outputTokens };
    expect(readUsage(untyped(usage))).toEqual({ inputTokens: 7, ...expected });
  });

  it.each([undefined, {}])('reads nothing of a usage without figures: %o', (usage) => {
    expect(readUsage(untyped(usage))).toBeUndefined();
  });
});
