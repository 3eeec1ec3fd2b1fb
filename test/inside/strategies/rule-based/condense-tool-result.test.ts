import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { condenseToolResult } from '../../../../src/strategies/rule-based/tool-facts.ts';

const long = 'word '.repeat(200);
const call = { toolName: 'read_file', input: { path: 'a.ts' } };

function part(output: LanguageModelV4ToolResultPart['output']): LanguageModelV4ToolResultPart {
  return { type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output };
}

describe('condenseToolResult', () => {
  it.each<LanguageModelV4ToolResultPart['output']['type']>([
    'text',
    'json',
    'error-text',
    'error-json',
  ])('keeps the ids and the type of %s', (type) => {
    if (type === 'content' || type === 'execution-denied') throw new Error('Not in the table.');
    const condensed = condenseToolResult(call, part({ type, value: long }), {
      preserveErrorDetails: false,
    });
    expect(condensed).toMatchObject({ toolCallId: 'c1', toolName: 'read_file', output: { type } });
    expect(JSON.stringify(condensed.output)).toMatch(/read_file: (?:File|path): a\.ts/);
    expect(JSON.stringify(condensed.output).length).toBeLessThan(long.length / 2);
  });

  it('replaces texts and files of a content output by one text', () => {
    const condensed = condenseToolResult(
      call,
      part({
        type: 'content',
        value: [
          { type: 'text', text: 'ok' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
        ],
      }),
    );
    expect(condensed.output).toMatchObject({ type: 'content', value: [{ type: 'text' }] });
  });

  it('gives the same part back when the line would not be shorter', () => {
    const short = part({ type: 'text', value: 'ok' });
    expect(condenseToolResult(call, short)).toBe(short);
  });

  it('does without the call', () => {
    const condensed = condenseToolResult(undefined, part({ type: 'text', value: long }));
    expect(condensed.output).toMatchObject({ type: 'text' });
  });
});
