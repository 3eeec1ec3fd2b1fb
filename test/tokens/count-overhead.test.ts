import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/prompt/prompt-types.ts';
import { countOverhead } from '../../src/tokens/count-overhead.ts';
import type { TextCounter } from '../../src/tokens/load-text-counter.ts';

const characters: TextCounter = {
  isExact: true,
  hold: async (work) => work(),
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
  it('is the opening of the answer for a plain call', () => {
    expect(countOverhead(characters, {})).toBe(3);
    expect(countOverhead(characters, { tools: [], responseFormat: { type: 'text' } })).toBe(3);
  });

  it.each([
    ['openai', 16],
    ['anthropic', 346],
    ['google', 16],
    ['other', 130],
  ] as const)('adds the preamble of tool use for %s', (family, preamble) => {
    const tokens = countOverhead(characters, { tools: [readFile, readFile] }, family);
    expect(tokens).toBe(3 + preamble + 2 * (8 + readFileJson.length));
  });

  it('counts examples of a tool', () => {
    const tools = [{ ...readFile, inputExamples: [{ input: { path: 'a' } }] }];
    const plain = countOverhead(characters, { tools: [readFile] });
    expect(countOverhead(characters, { tools })).toBe(
      plain + ',"inputExamples":[{"input":{"path":"a"}}]'.length,
    );
  });

  it('counts a tool of the provider at a fixed price', () => {
    expect(countOverhead(characters, { tools: [webSearch] }, 'openai')).toBe(
      3 + 16 + 500 + 'web_search'.length + '{"a":1}'.length,
    );
  });

  it('counts a forced tool', () => {
    const toolChoice = { type: 'tool', toolName: 'read' } as const;
    expect(countOverhead(characters, { toolChoice })).toBe(3 + 4);
  });

  it('counts the schema of the answer', () => {
    const schema = { type: 'object' } as const;
    expect(countOverhead(characters, { responseFormat: { type: 'json', name: 'n', schema } })).toBe(
      3 + 16 + '{"name":"n","schema":{"type":"object"}}'.length,
    );
    expect(countOverhead(characters, { responseFormat: { type: 'json' } })).toBe(3 + 16 + 2);
  });
});
