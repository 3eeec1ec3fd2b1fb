import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../support/prompt-types.ts';
import { countOverhead } from '../../../src/tokens/count-overhead.ts';
import type { TextCounter } from '../../../src/tokens/text/create-text-counter.ts';
import { noPauses } from '../support/no-pauses.ts';

const characters: TextCounter = {
  isExact: true,
  hold: () => () => {},
  count: (text) => text.length,
};

const readFile = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
} as const satisfies NonNullable<CallOptions['tools']>[number];
const readFileJson =
  '{"name":"read","description":"Reads.","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}';
const webSearch = {
  type: 'provider',
  id: 'openai.web_search',
  name: 'web_search',
  args: { a: 1 },
} as const satisfies NonNullable<CallOptions['tools']>[number];

describe('countOverhead', () => {
  it('is the opening of the answer for a plain call', async () => {
    expect(await countOverhead(characters, {}, 'other', noPauses)).toBe(3);
    expect(
      await countOverhead(
        characters,
        { tools: [], responseFormat: { type: 'text' } },
        'other',
        noPauses,
      ),
    ).toBe(3);
  });

  it.each([
    ['openai', 16],
    ['anthropic', 346],
    ['google', 16],
    ['other', 130],
  ] as const)('adds the preamble of tool use for %s', async (family, preamble) => {
    const tokens = await countOverhead(
      characters,
      { tools: [readFile, readFile] },
      family,
      noPauses,
    );
    expect(tokens).toBe(3 + preamble + 2 * (8 + readFileJson.length));
  });

  it('counts examples of a tool', async () => {
    const tools = [{ ...readFile, inputExamples: [{ input: { path: 'a' } }] }];
    const plain = await countOverhead(characters, { tools: [readFile] }, 'other', noPauses);
    expect(await countOverhead(characters, { tools }, 'other', noPauses)).toBe(
      plain + ',"inputExamples":[{"input":{"path":"a"}}]'.length,
    );
  });

  it('counts a tool of the provider at a fixed price', async () => {
    expect(await countOverhead(characters, { tools: [webSearch] }, 'openai', noPauses)).toBe(
      3 + 16 + 500 + 'web_search'.length + '{"a":1}'.length,
    );
  });

  it('counts a forced tool', async () => {
    const toolChoice = { type: 'tool', toolName: 'read' } as const;
    expect(await countOverhead(characters, { toolChoice }, 'other', noPauses)).toBe(3 + 4);
  });

  it('counts the schema of the answer', async () => {
    const schema = { type: 'object' } as const;
    expect(
      await countOverhead(
        characters,
        { responseFormat: { type: 'json', name: 'n', schema } },
        'other',
        noPauses,
      ),
    ).toBe(3 + 16 + '{"name":"n","schema":{"type":"object"}}'.length);
    expect(
      await countOverhead(characters, { responseFormat: { type: 'json' } }, 'other', noPauses),
    ).toBe(3 + 16 + 2);
  });
});
