import { describe, expect, it } from 'vitest';
import { toolKindOf } from '../../../../src/strategies/rule-based/extractors/find-extractor.ts';
import { renderToolSummary } from '../../../../src/strategies/tool-summary.ts';
import {
  summarizeToolUse,
  toolUses,
} from '../../../../src/strategies/rule-based/facts/tool-uses.ts';
import { toolCall, toolResult } from '../../../strategies/llm/fixtures.ts';
import { noPauses } from '../../support/no-pauses.ts';

async function lineOf(
  name: string,
  input: unknown,
  output: string,
  preserveErrorDetails = true,
): Promise<string> {
  const [placed] = await toolUses([toolCall(name, input), toolResult(name, output)], {
    extractors: {},
    preserveErrorDetails,
    slices: noPauses,
  });
  return placed === undefined ? '' : renderToolSummary(summarizeToolUse(placed.use, {}));
}

describe('toolKindOf', () => {
  it.each([
    ['read_file', 'read'],
    ['Read', 'read'],
    ['mcp__fs__read_text_file', 'read'],
    ['functions.view', 'read'],
    ['bash', 'shell'],
    ['execute_bash', 'shell'],
    ['run_terminal_cmd', 'shell'],
    ['default_api:run_shell_command', 'shell'],
    ['Grep', 'search'],
    ['search_files', 'search'],
    ['codebase_search', 'search'],
    ['create_file', 'create'],
    ['Write', 'create'],
    ['edit_file', 'edit'],
    ['apply_patch', 'edit'],
    ['MultiEdit', 'edit'],
    ['str_replace_based_edit_tool', 'edit'],
    ['text_editor_20250429', 'edit'],
    ['get_weather', 'other'],
  ])('reads %s as %s', (name, kind) => {
    expect(toolKindOf(name, {})).toBe(kind);
  });

  it.each([
    ['view', 'read'],
    ['create', 'create'],
    ['str_replace', 'edit'],
  ])('judges an editor by its command %s', (command, kind) => {
    expect(toolKindOf('str_replace_editor', { command, path: 'a.ts' })).toBe(kind);
  });
});

describe('summarizeToolUse', () => {
  it.each<[string, string, unknown, string, string]>([
    [
      'a file that was read',
      'read_file',
      { path: 'src/a.ts' },
      "import { b } from './b.ts';\nexport function alpha() {}\nexport const beta = 1;\n",
      '[✓ read_file: File: src/a.ts | Lines: 3 | Type: ts | Exports: alpha, beta | Imports: ./b.ts]',
    ],
    [
      'a file with line numbers',
      'Read',
      { file_path: '/x/b.py' },
      '     1\timport os\n     2\tdef main():\n     3\t    pass',
      '[✓ Read: File: /x/b.py | Lines: 3 | Type: py | Exports: main | Imports: os]',
    ],
    [
      'a command that worked',
      'bash',
      { command: 'ls src' },
      'a.ts\nb.ts',
      '[✓ bash: Command: ls src | Output lines: 2 | First: a.ts]',
    ],
    [
      'a command that failed',
      'execute_bash',
      { command: 'npm test' },
      'running\nError: boom in a.ts\nat line 3\nexit code 1',
      '[❌ execute_bash: Command: npm test | Exit: 1 | Output lines: 4 | Error: Error: boom in a.ts at line 3 exit code 1]',
    ],
    [
      'a search',
      'grep',
      { pattern: 'foo', path: 'src' },
      'src/a.ts:1:foo\nsrc/a.ts:9:foo\nsrc/b.ts:2:foo',
      '[✓ grep: Pattern: foo | In: src | Matches: 3 | Files: 2 | Top: src/a.ts, src/b.ts]',
    ],
    [
      'a file that was created',
      'create_file',
      { path: 'n.md', content: 'a\nb' },
      'ok',
      '[✓ create_file: File: n.md | Lines written: 2]',
    ],
    [
      'a file that was read in part',
      'read_file',
      { path: 'a.txt' },
      'one\n[output truncated]',
      '[◐ read_file: File: a.txt | Lines: 2 | Type: txt]',
    ],
    [
      'a file that could not be read',
      'read_file',
      { path: 'a.ts' },
      'Error: no such file',
      '[❌ read_file: File: a.ts | Error: Error: no such file]',
    ],
    [
      'a file that was created and printed in part',
      'create_file',
      { path: 'n.md', content: 'a' },
      'a\n[output truncated]',
      '[✓ create_file: File: n.md | Lines written: 1]',
    ],
    [
      'a command whose exit code alone says that it failed',
      'bash',
      { command: 'npm test' },
      '{"stdout":"done","exitCode":2}',
      '[❌ bash: Command: npm test | Exit: 2 | Output lines: 1 | Error: done]',
    ],
    [
      'an edit',
      'str_replace_editor',
      { command: 'str_replace', path: 'a.ts', old_str: 'x', new_str: 'y\nz' },
      'ok',
      '[✓ str_replace_editor: File: a.ts | Change: +2 -1 lines]',
    ],
    [
      'a patch',
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: src/c.ts\n-old\n+new\n*** End Patch' },
      'Done',
      '[✓ apply_patch: File: src/c.ts | Change: +1 -1 lines]',
    ],
    [
      'any other tool with JSON',
      'get_order',
      { id: 'A1' },
      '{"status":"open","items":[1,2],"total":12}',
      '[✓ get_order: id: A1 | status: open | items: 2 items | total: 12]',
    ],
    ['any other tool with text', 'ask', {}, 'yes\nmore', '[✓ ask: yes | Lines: 2]'],
  ])('condenses %s', async (_, name, input, output, line) => {
    expect(await lineOf(name, input, output)).toBe(line);
  });

  it('keeps a whole error text, or only its beginning', async () => {
    const output = `Error: ${'cause '.repeat(100)}end`;
    expect(await lineOf('lookup', {}, output)).toContain('cause end');
    expect(await lineOf('lookup', {}, output, false)).not.toContain('cause end');
  });

  it('uses the extractor of the caller, and the default one when that throws', async () => {
    const [placed] = await toolUses([toolCall('my_tool', {}), toolResult('my_tool', 'text')], {
      extractors: {},
      preserveErrorDetails: true,
      slices: noPauses,
    });
    if (placed === undefined) throw new Error('There is a call.');
    const own = summarizeToolUse(placed.use, {
      My_Tool: ({ toolName }) => ({
        toolName,
        status: 'partial',
        keyFacts: ['mine'],
        metadata: {},
      }),
    });
    expect(renderToolSummary(own)).toBe('[◐ my_tool: mine]');
    const thrown = summarizeToolUse(placed.use, {
      my_tool: () => {
        throw new Error('broken');
      },
    });
    expect(renderToolSummary(thrown)).toBe('[✓ my_tool: text]');
  });
});
