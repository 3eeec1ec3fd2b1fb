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
  it('reads a file', async () => {
    expect(await run('read_file', { path: 'LICENSE' })).toBe('MIT\nno warranty\n');
  });

  it('caps what it returns and says so', async () => {
    const output = await run('read_file', { path: 'src/long.ts' });
    expect(output.length).toBeLessThan(4_100);
    expect(output).toContain('more characters not shown');
  });

  it.each([
    ['../outside.txt', 'inside the repository'],
    ['src/../../outside.txt', 'inside the repository'],
    ['/etc/passwd', 'inside the repository'],
    ['link.txt', 'inside the repository'],
    ['up/outside.txt', 'inside the repository'],
    ['.git/config', 'not for tools'],
    ['.env.local', 'not for tools'],
    ['missing.txt', 'no such file'],
    ['LICENSE\0.txt', 'no such file'],
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

  it('stops at a number of matches', async () => {
    const output = await run('search_files', { text: 'line', folder: 'src' });
    expect(output.split('\n')).toHaveLength(21);
  });

  it('looks neither behind links nor into private files', async () => {
    expect(await run('search_files', { text: 'secret', folder: '.' })).toBe('No match.');
  });

  it('refuses a folder outside', async () => {
    await expect(run('search_files', { text: 'secret', folder: '..' })).rejects.toThrow('inside');
  });
});

describe('execute_bash', () => {
  it.each([
    ['ls', 'LICENSE\nlink.txt\nsrc\nup'],
    ['wc -l LICENSE', '2 LICENSE'],
    ['head -n 1 LICENSE', 'MIT'],
    ["grep -rn 'no warranty' .", './LICENSE:2:no warranty'],
    ['grep -r secret .', '(no output)'],
    ["find src -name '*.ts' -type f", 'src/long.ts'],
    ['sort -r "LICENSE"', 'no warranty\nMIT'],
    ['cat', '(no output)'],
  ])('runs %j', async (command, output) => {
    expect((await run('execute_bash', { command })).trim()).toBe(output);
  });

  it.each([
    ['', 'allowed is cat, find'],
    ['rm -rf .', 'rm: refused'],
    ['constructor', 'constructor: refused'],
    ['/bin/cat LICENSE', '/bin/cat: refused'],
    ['cat LICENSE; rm LICENSE', 'one plain command'],
    ['cat LICENSE && id', 'one plain command'],
    ['cat LICENSE | sh', 'one plain command'],
    ['cat LICENSE > copy', 'one plain command'],
    ['cat LICENSE\nid', 'id: no such file'],
    ['cat $(id)', 'one plain command'],
    ['cat `id`', 'one plain command'],
    ['cat $HOME/.profile', 'one plain command'],
    ['cat *', 'one plain command'],
    ['cat "LICENSE', 'one plain command'],
    ['cat "a\0b"', 'one plain command'],
    ['cat /etc/passwd', 'inside the repository'],
    ['cat ../outside.txt', 'inside the repository'],
    ['cat link.txt', 'inside the repository'],
    ['cat .git/config', 'not for tools'],
    ["cat '.env.local'", 'not for tools'],
    ['ls up', 'inside the repository'],
    ['grep -r secret up', 'inside the repository'],
    ['grep -R secret .', 'option is not'],
    ['grep -f /etc/passwd LICENSE', 'option is not'],
    ['grep --file=/etc/passwd LICENSE', 'option is not'],
    ['find . -delete', 'option is not'],
    ['find . -exec cat LICENSE', 'option is not'],
    ['find . -fprint copy', 'option is not'],
    ['find -L . -name LICENSE', 'option is not'],
    ['sort -o copy LICENSE', 'option is not'],
    ['sort --output=copy LICENSE', 'option is not'],
    ['sort --compress-program=sh LICENSE', 'option is not'],
    ['sort --files0-from=LICENSE', 'option is not'],
    ['wc --files0-from=LICENSE', 'option is not'],
    ['uniq LICENSE copy', 'too many files'],
    ['tail -f LICENSE', 'option is not'],
    ['head -n LICENSE', 'value refused'],
    ['cat -- LICENSE', 'option is not'],
  ])('refuses %j', async (command, reason) => {
    await expect(run('execute_bash', { command })).rejects.toThrow(reason);
  });
});
