import { describe, expect, it } from 'vitest';
import { summarizeTool } from '../../src/text/index.ts';
import { untyped } from '../support/untyped.ts';

describe('summarizeTool', () => {
  it('tells what is left of a call, for people and programs', async () => {
    const summary = await summarizeTool({
      toolName: 'bash',
      input: '{"command": "npm test"}',
      output: 'Tests  1 failed | 40 passed (41)\nexit code: 1',
    });
    expect(summary).toMatchObject({ toolName: 'bash', status: 'error' });
    expect(summary.keyFacts).toEqual(expect.arrayContaining(['Command: npm test', 'Exit: 1']));
    expect(summary.metadata).toEqual({
      command: 'npm test',
      exitCode: 1,
      outputLines: 2,
      hasError: true,
    });
  });

  it('reads JSON that is no string, errors, and extractors of the caller', async () => {
    const search = { toolName: 'grep', input: { pattern: 'x' }, output: { matches: [] } };
    expect(await summarizeTool(search)).toMatchObject({ status: 'partial' });
    expect(await summarizeTool({ ...search, isError: true })).toMatchObject({ status: 'error' });
    const own = { toolName: 'grep', status: 'success', keyFacts: ['mine'] } as const;
    const extractors = [{ tool: /grep/, extract: () => untyped<never>(own) }];
    expect(await summarizeTool({ ...search, extractors })).toEqual({ ...own, metadata: {} });
    expect(await summarizeTool({ toolName: 'x', output: undefined })).toMatchObject({
      status: 'success',
    });
  });

  it.each([
    [undefined, 'input'],
    [{ output: '' }, 'toolName'],
    [{ toolName: 'x', output: '', isError: 'no' }, 'isError'],
    [{ toolName: 'x', output: '', outptu: '' }, 'outptu'],
    [{ toolName: 'x', output: '', extractors: { x: 1 } }, 'extractors'],
    [{ toolName: 'x', output: { size: 1n } }, 'output'],
  ])('refuses wrong arguments: %o', async (given, option) => {
    await expect(summarizeTool(untyped(given))).rejects.toMatchObject({ option });
  });
});
