import { describe, expect, it } from 'vitest';
import { toolKindOf } from '../../../../src/strategies/rule-based/extractors/find-extractor.ts';
import {
  summarizeToolUse,
  toolUses,
} from '../../../../src/strategies/rule-based/facts/tool-uses.ts';
import { renderToolSummary } from '../../../../src/strategies/tool-summary.ts';
import type { ToolExtractors, ToolMatcher } from '../../../../src/index.ts';
import { noPauses } from '../../support/no-pauses.ts';
import { untyped } from '../../../support/untyped.ts';
import { toolCall, toolResult } from '../../../strategies/llm/fixtures.ts';

async function factsOf(
  name: string,
  input: unknown,
  output: string,
  extractors: ToolExtractors = {},
) {
  const [placed] = await toolUses([toolCall(name, input), toolResult(name, output)], {
    extractors,
    preserveErrorDetails: false,
    slices: noPauses,
  });
  if (placed === undefined) throw new Error('no tool was used');
  const facts = summarizeToolUse(placed.use, extractors);
  return { line: renderToolSummary(facts), metadata: facts.metadata };
}

const shell = async (output: string) => factsOf('bash', { command: 'x' }, output);

describe('outputs of test runners', () => {
  it.each([
    [
      'Vitest',
      ' FAIL  test/a.test.ts > adds\n Test Files  1 failed | 4 passed (5)\n      Tests  2 failed | 40 passed (42)\n',
      40,
      2,
    ],
    ['Jest', '● sum › adds\n\nTests:       1 failed, 2 passed, 3 total\n', 2, 1],
    [
      'pytest',
      'FAILED tests/test_a.py::test_x - assert 1 == 2\n===== 1 failed, 12 passed in 0.12s =====\n',
      12,
      1,
    ],
    ['Mocha', '  3 passing (12ms)\n  1 failing\n', 3, 1],
    ['Go', '--- FAIL: TestX (0.00s)\nFAIL\tx/y\t0.2s\nok  \tx/z\t0.1s\n', 1, 1],
    [
      'Cargo',
      'test a ... FAILED\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n\ntest result: ok. 2 passed; 0 failed;\n',
      5,
      1,
    ],
    ['JUnit', 'Tests run: 5, Failures: 1, Errors: 1, Skipped: 0\n', 3, 2],
    ['RSpec', '12 examples, 0 failures\n', 12, 0],
    ['Node', 'ℹ tests 4\nℹ pass 4\nℹ fail 0\n', 4, 0],
    ['TAP', 'not ok 1 - adds\n# pass 3\n# fail 1\n', 3, 1],
  ])('of %s', async (_, output, testsPassed, testsFailed) => {
    const { line, metadata } = await shell(output);
    expect(line).toContain(`Tests: ${testsPassed} passed, ${testsFailed} failed`);
    expect(line.startsWith(testsFailed > 0 ? '[❌' : '[✓')).toBe(true);
    expect(metadata).toMatchObject({ testsPassed, testsFailed, hasError: testsFailed > 0 });
  });

  it('names the first tests that failed', async () => {
    const { line } = await shell('FAILED tests/a.py::test_x\n=== 1 failed, 2 passed in 1s ===\n');
    expect(line).toContain('Failed: tests/a.py::test_x');
  });

  it.each(['The order passed 3 checkpoints.', 'I tested 4 of them', 'test data', ''])(
    'takes nothing else for one: %j',
    async (output) => {
      expect((await shell(output)).line).not.toContain('Tests: ');
    },
  );
});

describe('outputs of other tools that many have', () => {
  it.each([
    [
      'tsc',
      'src/a.ts(12,5): error TS2322: No.\nsrc/b.ts(1,1): error TS1: No.\n',
      'Errors: 2 | First: src/a.ts(12,5): error TS2322: No.',
      { errorCount: 2 },
    ],
    [
      'gcc',
      'a.c:3:5: warning: unused\na.c:9:1: error: expected ;\n',
      'Errors: 1 | Warnings: 1 | First: a.c:9:1: error: expected',
      { warningCount: 1 },
    ],
    [
      'rustc',
      'error[E0308]: mismatched types\n --> src/main.rs:3:5\n',
      'Errors: 1',
      { errorCount: 1 },
    ],
    ['ESLint', '/x/a.js\n  12:5  error  No  no-undef\n', 'Errors: 1', { errorCount: 1 }],
    [
      'git diff',
      'diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1,2 @@\n-a\n+b\n+c\n',
      'Diff: 1 files, +2 -1 lines | Files: x.ts',
      { fileCount: 1 },
    ],
    [
      'git diff --stat',
      ' a.ts | 2 +-\n 3 files changed, 10 insertions(+), 4 deletions(-)\n',
      'Diff: 3 files changed',
      { fileCount: 3 },
    ],
    [
      'curl -i',
      'HTTP/1.1 301 Moved\nlocation: /b\n\nHTTP/2 404 Not Found\ncontent-type: text/html\n\n<p>',
      'HTTP: 404 Not Found | Type: text/html',
      { statusCode: 404 },
    ],
    [
      'psql',
      ' id | name\n----+-----\n 1  | a\n 2  | b\n',
      'Rows: 2 | Columns: id, name',
      { rowCount: 2 },
    ],
    [
      'CSV',
      'id,name,city\n1,a,x\n2,b,y\n3,c,z\n',
      'Rows: 3 | Columns: id, name, city',
      { rowCount: 3 },
    ],
    [
      'Markdown',
      '| id | name |\n|---|---|\n| 1 | a |\n| 2 | b |\n',
      'Rows: 2 | Columns: id, name',
      { rowCount: 2 },
    ],
  ])('%s', async (_, output, expected, metadata) => {
    const found = await shell(output);
    expect(found.line).toContain(expected);
    expect(found.metadata).toMatchObject(metadata);
  });

  it('are read of tools of any name', async () => {
    const { line } = await factsOf('query_warehouse', { sql: 'select' }, 'id\tname\n1\ta\n2\tb\n');
    expect(line).toContain('Rows: 2');
  });

  it('believes an exit code before what was printed', async () => {
    const { line } = await shell('src/a.ts(1,1): error TS1: No.\nExit code: 0');
    expect(line.startsWith('[✓')).toBe(true);
  });
});

describe('what a tool call says for programs', () => {
  it.each([
    [
      'Read',
      { file_path: 'a.ts' },
      'import b from "b";\nexport const c = 1;',
      { path: 'a.ts', linesRead: 2, hasExports: true, hasImports: true, hasError: false },
    ],
    ['Read', { file_path: 'a.ts' }, 'Error: no such file', { path: 'a.ts', hasError: true }],
    [
      'Write',
      { file_path: 'a.ts', content: 'a\nb' },
      'ok',
      { path: 'a.ts', linesWritten: 2, hasError: false },
    ],
    [
      'Edit',
      { file_path: 'a.ts', old_string: 'a', new_string: 'b\nc' },
      'ok',
      { path: 'a.ts', linesWritten: 2, linesRemoved: 1, hasError: false },
    ],
    [
      'Grep',
      { pattern: 'x' },
      'a.ts:1:x\na.ts:2:x\nb.ts:1:x',
      { pattern: 'x', matchCount: 3, fileCount: 2, hasError: false },
    ],
    [
      'Bash',
      { command: 'ls' },
      'a\nExit code: 2',
      { command: 'ls', exitCode: 2, outputLines: 2, hasError: true },
    ],
    [
      'WebFetch',
      { url: 'https://a.b' },
      '{"status": 503, "title": "Down"}',
      { url: 'https://a.b', statusCode: 503, hasError: true },
    ],
    [
      'web_search',
      { query: 'q' },
      '[{"title": "A", "url": "u"}]',
      { query: 'q', matchCount: 1, hasError: false },
    ],
    [
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'in_progress' },
        ],
      },
      'ok',
      { taskCount: 2, doneCount: 1, hasError: false },
    ],
    [
      'list_orders',
      {},
      '{"items": [1, 2], "total": 40, "page": 1, "has_more": true}',
      { itemCount: 2, totalCount: 40, hasError: false },
    ],
    ['graphql', {}, '{"errors": [{"message": "no field"}], "data": null}', { hasError: true }],
  ])('%s: %#', async (name, input, output, metadata) => {
    expect((await factsOf(name, input, output)).metadata).toEqual(metadata);
  });
});

describe('the status partial', () => {
  it.each([
    ['a search that found nothing', 'grep', { pattern: 'x' }, ''],
    ['a search of the web that found nothing', 'web_search', { query: 'x' }, '{"results": []}'],
    ['an output that was cut', 'read_file', { path: 'a' }, 'a\n... [truncated]'],
    ['a page of a list that goes on', 'list_orders', {}, '{"items": [1], "next_cursor": "b"}'],
  ])('marks %s', async (_, name, input, output) => {
    expect((await factsOf(name, input, output)).line.startsWith('[◐')).toBe(true);
  });
});

describe('the tools of coding agents', () => {
  it.each([
    ['Claude Code', 'shell', ['Bash', 'BashOutput', 'KillShell']],
    ['Claude Code', 'search', ['Glob', 'Grep', 'LS']],
    ['Claude Code', 'edit', ['Edit', 'MultiEdit', 'NotebookEdit']],
    ['Claude Code', 'web', ['WebFetch', 'WebSearch']],
    ['Claude Code', 'plan', ['TodoWrite']],
    ['Codex', 'shell', ['shell', 'exec_command', 'write_stdin', 'local_shell']],
    ['Codex', 'edit', ['apply_patch']],
    ['Codex', 'plan', ['update_plan']],
    ['opencode', 'search', ['glob', 'grep', 'list']],
    ['opencode', 'web', ['webfetch']],
    ['opencode', 'plan', ['todowrite', 'todoread']],
    ['Cline', 'shell', ['execute_command']],
    ['Cline', 'search', ['search_files', 'list_files', 'list_code_definition_names']],
    ['Cline', 'create', ['write_to_file']],
    ['Cline', 'edit', ['replace_in_file']],
    ['Cline', 'web', ['browser_action', 'web_fetch']],
    ['OpenAI', 'web', ['web_search', 'web_search_preview']],
    ['OpenAI', 'search', ['file_search']],
    ['OpenAI', 'shell', ['code_interpreter']],
    ['Anthropic', 'shell', ['bash_20250124', 'code_execution', 'bash_code_execution']],
    ['Anthropic', 'edit', ['str_replace_based_edit_tool', 'text_editor_20250728']],
    ['Anthropic', 'web', ['web_fetch_20250910', 'web_search_20250305']],
    [
      'MCP',
      'read',
      ['mcp__filesystem__read_text_file', 'filesystem.read_file', 'fs/read_file', 'fs:read_file'],
    ],
    ['MCP', 'web', ['mcp__fetch__fetch', 'brave_web_search']],
  ] as const)('of %s are known as %s', (_, kind, names) => {
    for (const name of names) expect([name, toolKindOf(name, {})]).toEqual([name, kind]);
  });

  it.each([
    ['local_shell', { action: { type: 'exec', command: ['ls', '-la'] } }, 'Command: ls -la'],
    [
      'apply_patch',
      { operation: { type: 'update_file', path: 'a.ts', diff: '+x' } },
      'File: a.ts | Change: +1 -0 lines',
    ],
  ])("reads OpenAI's own %s", async (name, input, expected) => {
    expect((await factsOf(name, input, 'ok')).line).toContain(expected);
  });
});

describe("extractors of the caller's", () => {
  const saying =
    (fact: string) =>
    ({ toolName }: { toolName: string }) => ({
      toolName,
      status: 'success' as const,
      keyFacts: [fact],
      metadata: {},
    });

  it('are found by the first matcher that takes a call', async () => {
    const extractors: ToolExtractors = [
      { tool: 'Get_Order', extract: saying('by name') },
      { tool: /^db_/g, extract: saying('by expression') },
      {
        tool: (name, input) => name === 'run' && Object(input).kind === 'sql',
        extract: saying('by function'),
      },
      { tool: /./, extract: saying('by anything') },
    ];
    const lines = async (...calls: readonly (readonly [string, unknown])[]) =>
      Promise.all(
        calls.map(async ([name, input]) => (await factsOf(name, input, 'ok', extractors)).line),
      );
    expect(
      await lines(
        ['getOrder', {}],
        ['db_a', {}],
        ['db_b', {}],
        ['run', { kind: 'sql' }],
        ['run', {}],
      ),
    ).toEqual([
      '[✓ getOrder: by name]',
      '[✓ db_a: by expression]',
      '[✓ db_b: by expression]',
      '[✓ run: by function]',
      '[✓ run: by anything]',
    ]);
  });

  it('count as none where a matcher answers later', async () => {
    const tool: ToolMatcher['tool'] = untyped(async () => Promise.reject(new Error('no')));
    const extractors: ToolExtractors = [{ tool, extract: saying('no') }];
    expect((await factsOf('run', { a: 1 }, 'ok', extractors)).line).toBe('[✓ run: a: 1 | ok]');
  });

  it('count as none where a matcher throws', async () => {
    const extractors: ToolExtractors = [{ tool: () => expect.fail(), extract: saying('no') }];
    expect((await factsOf('run', { a: 1 }, 'ok', extractors)).line).toBe('[✓ run: a: 1 | ok]');
  });
});
