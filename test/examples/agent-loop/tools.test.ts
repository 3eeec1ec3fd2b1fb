import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceTools } from '../../../examples/agent-loop/tools.ts';

let folder = '';
let root = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-loop-'));
  root = join(folder, 'repository');
  await mkdir(join(root, 'src'), { recursive: true });
  await mkdir(join(root, '.git'));
  await writeFile(join(root, '.git', 'config'), 'token = secret\n');
  await writeFile(join(root, '.env.local'), 'KEY=secret\n');
  await writeFile(join(root, 'LICENSE'), 'MIT\nno warranty\n');
  await writeFile(join(root, 'src', 'long.ts'), 'export const line = 1;\n'.repeat(500));
  await writeFile(join(folder, 'outside.txt'), 'secret\n');
  await symlink(join(folder, 'outside.txt'), join(root, 'link.txt'));
  await symlink(folder, join(root, 'up'));
});

afterAll(() => rm(folder, { recursive: true }));

async function run(name: string, input: unknown): Promise<string> {
  const execute = workspaceTools(root)[name]?.execute;
  if (!execute) throw new Error(`no tool ${name}`);
  return String(await execute(input, { toolCallId: '1', messages: [], context: {} }));
}

describe('read_file', () => {
  it('reads a file, and says where it has left some of it out', async () => {
    expect(await run('read_file', { path: 'LICENSE' })).toBe('MIT\nno warranty\n');
    const output = await run('read_file', { path: 'src/long.ts' });
    expect(output.length).toBeLessThan(4_100);
    expect(output).toContain('more characters not shown');
  });

  it.each([
    ['../outside.txt', 'inside the repository'],
    ['/etc/passwd', 'inside the repository'],
    ['link.txt', 'inside the repository'],
    ['up/outside.txt', 'inside the repository'],
    ['.git/config', 'not for tools'],
    ['.env.local', 'not for tools'],
    ['missing.txt', 'no such file'],
  ])('refuses %j', async (path, reason) => {
    await expect(run('read_file', { path })).rejects.toThrow(reason);
  });
});

describe('search_files', () => {
  it('finds lines with their place', async () => {
    expect(await run('search_files', { text: 'warranty', folder: '.' })).toBe(
      'LICENSE:2: no warranty',
    );
  });

  it('looks neither behind links nor into private files', async () => {
    expect(await run('search_files', { text: 'secret', folder: '.' })).toBe('No match.');
    await expect(run('search_files', { text: 'secret', folder: '..' })).rejects.toThrow('inside');
  });
});

describe('execute_bash', () => {
  it.each([
    ['ls', 'LICENSE\nlink.txt\nsrc\nup'],
    ['head -n 1 LICENSE', 'MIT'],
    ["grep -rn 'no warranty' .", './LICENSE:2:no warranty'],
    ['grep -r secret .', '(no output)'],
    ["find src -name '*.ts' -type f", 'src/long.ts'],
    ['sort -r "LICENSE"', 'no warranty\nMIT'],
  ])('runs %j', async (command, output) => {
    expect((await run('execute_bash', { command })).trim()).toBe(output);
  });

  it.each([
    ['allowed is cat, find', ['']],
    ['refused', ['rm -rf .', 'constructor', '/bin/cat LICENSE', 'head -n LICENSE']],
    ['one plain command', ['cat LICENSE; rm LICENSE', 'cat LICENSE && id', 'cat LICENSE | sh']],
    ['one plain command', ['cat LICENSE > copy', 'cat $(id)', 'cat `id`', 'cat $HOME/.profile']],
    ['one plain command', ['cat *', 'cat "LICENSE', 'cat "a\0b"']],
    ['id: no such file', ['cat LICENSE\nid']],
    ['inside the repository', ['cat /etc/passwd', 'cat ../outside.txt', 'cat link.txt', 'ls up']],
    ['inside the repository', ['grep -r secret up']],
    ['not for tools', ['cat .git/config', "cat '.env.local'"]],
    ['option is not', ['grep -R secret .', 'grep -f /etc/passwd LICENSE', 'tail -f LICENSE']],
    ['option is not', ['find . -delete', 'find . -exec cat LICENSE', 'find . -fprint copy']],
    ['option is not', ['find -L . -name LICENSE', 'sort -o copy LICENSE', 'cat -- LICENSE']],
    ['option is not', ['grep --file=/etc/passwd LICENSE', 'sort --output=copy LICENSE']],
    ['option is not', ['sort --compress-program=sh LICENSE', 'sort --files0-from=LICENSE']],
    ['option is not', ['wc --files0-from=LICENSE']],
    ['too many files', ['uniq LICENSE copy']],
  ])('says %j of %j', async (reason, commands) => {
    for (const command of commands)
      await expect(run('execute_bash', { command }), command).rejects.toThrow(reason);
  });
});
