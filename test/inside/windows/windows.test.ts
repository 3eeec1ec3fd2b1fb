import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextLengthOf } from '../../../src/index.ts';
import { priceStepOf } from '../../../src/call/options/prices-of.ts';
import { readTable } from '../../../src/sizes/tokens/context-lengths.ts';
import { hosts, modelFamilies } from '../../../src/sizes/tokens/model-windows.ts';
import { differences, providers, readCatalogue, rounding } from './make.ts';

const catalogue = readCatalogue(readFileSync(new URL('catalogue.tsv', import.meta.url), 'utf8'));

/** What the vendors' own packages are called. */
const vendors: Readonly<Record<string, string>> = {
  anthropic: 'anthropic.messages',
  deepseek: 'deepseek.chat',
  google: 'google.generative-ai',
  minimax: 'minimax.chat',
  mistral: 'mistral.chat',
  moonshotai: 'moonshotai.chat',
  openai: 'openai.responses',
  xai: 'xai.responses',
  zai: 'zai.chat',
};

/** Plans and gateways of agents, which limit models as they like and have no package for the AI SDK. */
const plans = /^(?:cloudflare-ai-gateway|github-copilot|openai-codex|opencode|opencode-go|radius)$/;

/** OpenAI's models that the data set ends at their price step. */
const endedAtStep = /^gpt-(?:5\.[4-6]|6)/;

const served = catalogue.rows.filter(
  ({ host, modelId }) => !plans.test(host) && !(host === 'openai' && endedAtStep.test(modelId)),
);
const providerOf = (host: string): string => vendors[host] ?? providers[host] ?? host;

describe('the table of windows, against the data set it is made of', () => {
  it('makes no model larger than its host says', () => {
    expect(served.length).toBeGreaterThan(1300);
    const tooLarge = served.filter(({ host, modelId, contextLength }) => {
      const ours = contextLengthOf({ provider: providerOf(host), modelId }).contextLength;
      return ours > rounding(contextLength) && ours > contextLength;
    });
    expect(tooLarge).toEqual([]);
  });

  it('knows what the vendors themselves serve, and how long', () => {
    const own = served.filter(({ host }) => Object.hasOwn(vendors, host));
    expect(own.length).toBeGreaterThan(100);
    const wrong = own.filter(({ host, modelId, contextLength }) => {
      const ours = contextLengthOf({ provider: providerOf(host), modelId });
      return !ours.known || ours.contextLength < 0.97 * rounding(contextLength);
    });
    expect(wrong).toEqual([]);
  });

  it('has no size complete a version', () => {
    const families = [...readTable(modelFamilies).keys()];
    const versions = families.flatMap((name) => {
      const [, line = '', minor = ''] = /^(\D+-\d{1,2})-(\d{1,2})$/.exec(name) ?? [];
      return line === '' || families.some((each) => each.startsWith(`${line}-${minor}b`))
        ? []
        : [[line, minor] as const];
    });
    expect(versions.length).toBeGreaterThan(30);
    for (const [line, minor] of versions) {
      // As one of a size that nobody lists.
      const { contextLength } = contextLengthOf({ provider: 'any', modelId: `${line}-777b` });
      for (const size of ['b', 'B', 'b-instruct', 'B-A3B', 'bit', 'b-GGUF:Q4_K_M'])
        for (const separator of ['-', '_', ':']) {
          const modelId = `${line}${separator}${minor}${size}`;
          const found = contextLengthOf({ provider: 'any', modelId }).contextLength;
          expect(`${modelId} ${found}`).toBe(`${modelId} ${contextLength}`);
        }
    }
  });

  it.each([
    ['claude-haiku-latest', 'claude-haiku-5-5'],
    ['claude-opus-latest', 'claude-opus-5-5'],
    ['mistral-medium-latest', 'mistral-medium-3.5'],
    ['mistral-large-latest', 'mistral-large-4'],
    ['gpt-latest', 'gpt-6.2'],
  ])('has %s follow %s', (modelId, newest) => {
    const [alias, model] = [modelId, newest].map((each) =>
      contextLengthOf({ provider: 'any', modelId: each }),
    );
    expect(alias).toEqual(model);
    expect(alias?.known).toBe(true);
  });

  it('knows the price steps of the vendors from 100,000 tokens on', () => {
    const own = catalogue.rows.filter(({ host }) =>
      ['openai', 'anthropic', 'google', 'xai', 'meta'].includes(host),
    );
    const wrong = own.filter(({ host, modelId, steps, contextLength }) => {
      const step = priceStepOf({ prices: {} }, { provider: providerOf(host), modelId });
      const [first] = steps;
      return step !== first && !(first === undefined && (step ?? 0) >= contextLength);
    });
    expect(wrong).toEqual([]);
  });

  it('names only hosts that are looked up, and lengths that are numbers of tokens', () => {
    for (const table of [modelFamilies, ...Object.values(hosts)])
      for (const [name, { contextLength, inputLimit = contextLength }] of readTable(table)) {
        expect(name).toMatch(/^[a-z0-9]/);
        expect(inputLimit).toBeLessThanOrEqual(contextLength);
      }
    expect(Object.keys(hosts)).toEqual(
      expect.arrayContaining(['workers-ai', 'amazon-bedrock', 'groq', 'togetherai', 'openrouter']),
    );
  });

  it.each([
    ['workersai.chat', '@cf/qwen/qwq-32b', 24_000],
    ['any', '@cf/meta/llama-3.3-70b-instruct-fp8-fast', 24_000],
    ['any', 'workers-ai/@cf/meta/llama-3.3-70b-instruct-fp8-fast', 24_000],
    ['groq.chat', 'llama-3.3-70b-versatile', 128_000],
    ['togetherai.chat', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', 128_000],
    ['openrouter', 'meta-llama/llama-3.3-70b-instruct', 128_000],
  ])('looks up at %s, %s: %d', (provider, modelId, contextLength) => {
    expect(contextLengthOf({ provider, modelId })).toMatchObject({ contextLength, known: true });
  });

  it('says what another version of the data set changes', () => {
    const [first, ...rest] = catalogue.rows;
    const longer = first === undefined ? [] : [{ ...first, contextLength: 7 }];
    const lines = differences(catalogue, { ...catalogue, rows: [...longer, ...rest.slice(1)] });
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).toMatch(/-> 7\n.*-> nothing/);
  });
});
