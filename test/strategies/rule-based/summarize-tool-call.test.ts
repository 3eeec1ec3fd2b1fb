import { describe, expect, it } from 'vitest';
import { summarizeToolCall, type ToolExtractor } from '../../../src/index.ts';
import { untyped } from '../../support/untyped.ts';

describe('summarizeToolCall', () => {
  it.each<[line: string, input: unknown, output: unknown, isError?: boolean]>([
    ['[✓ t: File: a.ts | Lines: 2 | Type: ts]', { path: 'a.ts' }, 'a\nb'],
    ['[✓ t: File: a.ts | Lines: 2 | Type: ts]', '{"path":"a.ts"}', 'a\nb'],
    [
      '[❌ t: Command: make | Exit: 2 | Error: odd]',
      { command: 'make' },
      { code: 2, stderr: 'odd' },
    ],
    [
      '[❌ t: Command: make | Exit: 2 | Error: odd]',
      { command: 'make' },
      '{"code":2,"stderr":"odd"}',
    ],
    ['[❌ t: Error: none]', {}, 'none', true],
    ['[t: Command: make | Output lines: 0]', { command: 'make' }, undefined],
  ])('gives the line %s', (line, input, output, isError) => {
    expect(summarizeToolCall({ toolName: 't', input, output, isError }).line).toBe(line);
  });

  it('gives status, facts and metadata, of an extractor of the caller too', () => {
    const call = { toolName: 'count_orders', input: {}, output: [1, 2] };
    const keyFacts = ['Items: 2', '1', '2'];
    expect(summarizeToolCall(call)).toMatchObject({ status: 'unknown', keyFacts });
    const extract: ToolExtractor = ({ toolName, value }) => ({
      toolName,
      status: 'success',
      keyFacts: ['Orders: 2'],
      metadata: { value },
    });
    expect(summarizeToolCall(call, { extractors: { countOrders: extract } })).toEqual({
      toolName: 'count_orders',
      status: 'success',
      keyFacts: ['Orders: 2'],
      metadata: { value: [1, 2] },
      line: '[✓ count_orders: Orders: 2]',
    });
  });

  it('keeps the failure of a long error text, whole or by its line alone', () => {
    const output = `${'compiled a file\n'.repeat(400)}src/a.c:7:2: error: no such member\n${'linked\n'.repeat(900)}`;
    const call = { toolName: 'bash', input: { command: 'make' }, output };
    const failure = 'src/a.c:7:2: error: no such member';
    const { line } = summarizeToolCall(call);
    expect(line).toContain(failure);
    expect(line.length).toBeLessThan(2100);
    const short = summarizeToolCall(call, { preserveErrorDetails: false });
    expect(short.line).toBe(`[❌ bash: Command: make | Error: ${failure}]`);
  });

  it('refuses what is no name, and no extractors', () => {
    const call = { toolName: 't', input: {}, output: '' };
    expect(() => summarizeToolCall(untyped({ ...call, toolName: 1 }))).toThrow(/toolName/);
    expect(() => summarizeToolCall(call, untyped({ extractors: { t: 1 } }))).toThrow(/extractors/);
  });
});
