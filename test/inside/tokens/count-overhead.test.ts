import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../support/prompt-types.ts';
import type { MediaFamily } from '../../../src/tokens/files/media-family-of.ts';
import { messageCounterOf } from '../../../src/tokens/message-counter.ts';
import type { OverheadParams } from '../../../src/tokens/sent-texts.ts';
import type { TextCounter } from '../../../src/tokens/text/create-text-counter.ts';
import { boundedMap } from '../../../src/util/maps/bounded-map.ts';
import { noPauses } from '../support/no-pauses.ts';

const characters: TextCounter = {
  isExact: true,
  hold: () => () => {},
  count: (text) => text.length,
};

function countOverhead(params: OverheadParams, family: MediaFamily): Promise<number> {
  return messageCounterOf(characters, family, boundedMap(100)).countOverhead(params, noPauses);
}

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
    expect(await countOverhead({}, 'other')).toBe(3);
    expect(await countOverhead({ tools: [], responseFormat: { type: 'text' } }, 'other')).toBe(3);
  });

  it.each([
    ['openai', 16],
    ['anthropic', 346],
    ['google', 16],
    ['other', 130],
  ] as const)('adds the preamble of tool use for %s', async (family, preamble) => {
    const tokens = await countOverhead({ tools: [readFile, readFile] }, family);
    expect(tokens).toBe(3 + preamble + 2 * (8 + readFileJson.length));
  });

  it('counts examples of a tool', async () => {
    const tools = [{ ...readFile, inputExamples: [{ input: { path: 'a' } }] }];
    const plain = await countOverhead({ tools: [readFile] }, 'other');
    expect(await countOverhead({ tools }, 'other')).toBe(
      plain + ',"inputExamples":[{"input":{"path":"a"}}]'.length,
    );
  });

  it('counts a tool of the provider at a fixed price', async () => {
    expect(await countOverhead({ tools: [webSearch] }, 'openai')).toBe(
      3 + 16 + 500 + 'web_search'.length + '{"a":1}'.length,
    );
  });

  it('counts a forced tool', async () => {
    const toolChoice = { type: 'tool', toolName: 'read' } as const;
    expect(await countOverhead({ toolChoice }, 'other')).toBe(3 + 4);
  });

  it('counts the schema of the answer', async () => {
    const schema = { type: 'object' } as const;
    expect(
      await countOverhead({ responseFormat: { type: 'json', name: 'n', schema } }, 'other'),
    ).toBe(3 + 16 + '{"name":"n","schema":{"type":"object"}}'.length);
    expect(await countOverhead({ responseFormat: { type: 'json' } }, 'other')).toBe(3 + 16 + 2);
  });
});
