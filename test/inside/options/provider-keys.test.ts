import { describe, expect, it } from 'vitest';
import { keysOf } from '../../../src/options/provider-overrides.ts';
import { readOptions } from '../../../src/options/read-options.ts';
import { resolvePolicy } from '../../../src/options/resolve-policy.ts';

const gpt = { provider: 'openai.responses', modelId: 'gpt-5-mini' };

describe('keysOf', () => {
  it.each<[string[], string[]]>([
    [['openai'], ['openai']],
    [['OpenAI'], ['OpenAI']],
    [
      ['OPENAI.Responses:GPT-5-Mini', 'OpenAI'],
      ['OpenAI', 'OPENAI.Responses:GPT-5-Mini'],
    ],
    [['openai:gpt-5', 'openai.chat', 'opena', 'openai/gpt-5-mini', ''], []],
    [['__proto__', 'constructor'], []],
    [[], []],
  ])('finds among %j those that name a model: %j', (keys, expected) => {
    expect(keysOf(gpt, keys)).toEqual(expected);
  });

  it('lets overrides apply whatever their case, the most specific before the others', () => {
    const providers = {
      'OpenAI:GPT-5-mini': { contextLength: 30_000 },
      OPENAI: { contextLength: 20_000, preserveRecent: 9 },
    };
    expect(resolvePolicy(readOptions({ providers }), gpt, {})).toMatchObject({
      contextLength: 30_000,
      preserveRecent: 9,
    });
  });
});
