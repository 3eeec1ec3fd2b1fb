import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../../src/index.ts';
import { keysFor, keysOf, looksWrong } from '../../../src/options/provider-overrides.ts';
import { readOptions } from '../../../src/options/read-options.ts';
import { resolvePolicy } from '../../../src/options/resolve-policy.ts';
import { chat } from '../../support/messages.ts';
import { chatModel } from '../../support/models.ts';
import { setUp } from '../../support/set-up.ts';

const gpt = { provider: 'openai.responses', modelId: 'gpt-5-mini' };
const throughGateway = { provider: 'gateway', modelId: 'openai/gpt-5-mini' };

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

  it('finds what keysFor gives', () => {
    for (const model of [gpt, throughGateway]) {
      expect(keysOf(model, keysFor(model).toReversed())).toEqual(keysFor(model));
    }
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

describe('looksWrong', () => {
  it.each([
    ['opena:gpt-5-mini', gpt, true],
    ['open-ai', gpt, true],
    ['gpt-5-mini', gpt, true],
    ['anthropic', gpt, false],
    ['Anthropic:claude-opus-5', gpt, false],
    ['openai.chat', gpt, false],
    ['openai:gpt-5', gpt, false],
    ['my-proxy', gpt, false],
    ['OpenAI:gpt-5-mini', throughGateway, true],
    ['anthropic', throughGateway, false],
  ])('%j beside a call of %j: %j', (key, model, expected) => {
    expect(looksWrong(key, model)).toBe(expected);
  });
});

/** The keys that a call is warned of. */
async function warnedKeys(
  providers: SummarizationOptions['providers'],
  { provider, modelId }: typeof gpt = gpt,
): Promise<readonly string[]> {
  const { model } = setUp({ providers }, { inner: chatModel({ provider, modelId }) });
  const { warnings } = await generateText({ model, messages: chat(3) });
  return (warnings ?? []).map(
    (warning) =>
      /'(.*?)' in providers/.exec('message' in warning ? warning.message : '')?.[1] ?? '',
  );
}

describe('a key of providers that names nothing', () => {
  it('is warned of once, with the keys that name the model of the call', async () => {
    const providers = { 'opena:gpt-5-mini': { contextLength: 5000 }, anthropic: {} };
    const { model, events } = setUp({ providers }, { inner: chatModel(gpt) });
    const { warnings } = await generateText({ model, messages: chat(3) });
    const message = expect.stringMatching(
      /'opena:gpt-5-mini' in providers.*Keys for this model: openai, openai\.responses, openai:gpt-5-mini, openai\.responses:gpt-5-mini\.$/,
    );
    expect(warnings).toEqual([{ type: 'other', message }]);
    expect(events).toContainEqual(expect.objectContaining({ code: 'unknown-provider-key' }));
    expect(await warnedKeys(providers)).toEqual([]);
  });

  it('is warned of beside keys that name the model, unless it is a provider that is known', async () => {
    const providers = { OpenAI: {}, anthropic: {}, 'opnai:gpt-5-mini': {} };
    expect(await warnedKeys(providers)).toEqual(['opnai:gpt-5-mini']);
  });

  it('is warned of where the call goes to its provider through the gateway', async () => {
    // Spelt in a way of its own: a key is warned of once in a process.
    expect(await warnedKeys({ OPENai: {}, anthropic: {} }, throughGateway)).toEqual(['OPENai']);
  });
});
