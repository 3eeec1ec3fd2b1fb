import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPromptTemplates } from '../../../src/node/index.ts';
import { readInside } from '../../../src/node/files.ts';
import { setUp, temporaryFolder, write } from '../../node/folders.ts';

const isWindows = process.platform === 'win32';

/** A project whose secret lies right above its prompts. */
function hostileProject() {
  const setup = setUp();
  const outside = temporaryFolder();
  write(join(setup.project, 'good.md'), 'good {content}');
  write(join(setup.project, '..', 'secret.md'), 'SECRET {content}');
  write(join(outside, 'secret.md'), 'SECRET {content}');
  return { ...setup, outside };
}

describe('a path in prompts', () => {
  it.each([
    '../secret.md',
    'mine/../../secret.md',
    '.',
    '/',
    '~/secret.md',
    '~root/secret.md',
    '/etc/passwd',
    '/dev/zero',
    '//server/share/secret.md',
    '\\\\?\\C:\\secret.md',
    'C:\\secret.md',
    '..\\secret.md',
    '..%2fsecret.md',
    'good.md\0',
    'file:///etc/passwd',
    `${'a/'.repeat(400)}secret.md`,
    'NUL.md',
    'good.md/../../secret.md',
  ])('leads nowhere: %j', (path) => {
    const { warnings, options } = hostileProject();
    const prompts = loadPromptTemplates({ ...options, prompts: { toolResults: path } });
    expect(prompts.toolResults).toBe('default');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain('\0');
  });

  it('leads nowhere when it is absolute and outside of the folders', () => {
    const { warnings, outside, options } = hostileProject();
    const path = join(outside, 'secret.md');
    const prompts = loadPromptTemplates({ ...options, prompts: { toolResults: path } });
    expect(prompts.toolResults).toBe('default');
    expect(warnings[0]).toMatch(/outside of the folder/);
  });

  it.skipIf(isWindows)('leads nowhere through a symbolic link out of the folder', () => {
    const { warnings, outside, project, options } = hostileProject();
    symlinkSync(join(outside, 'secret.md'), join(project, 'file.md'));
    symlinkSync(outside, join(project, 'folder'));
    symlinkSync(join(outside, 'secret.md'), join(project, 'user_messages.md'));
    symlinkSync('loop.md', join(project, 'loop.md'));
    const { summary: _, ...prompts } = loadPromptTemplates({
      ...options,
      prompts: { toolResults: 'file.md', agentMessages: 'folder/secret.md' },
    });
    expect(prompts).toEqual({
      toolResults: 'default',
      userMessages: 'default',
      agentMessages: 'default',
    });
    expect(warnings).toHaveLength(3);
    expect(() => readInside(project, 'loop.md')).toThrow('ELOOP');
  });

  it.skipIf(isWindows)('may be a link that stays inside, in a folder that is itself a link', () => {
    const { warnings, project, outside, options } = hostileProject();
    symlinkSync('good.md', join(project, 'link.md'));
    const linked = join(outside, 'linked');
    symlinkSync(project, linked);
    const prompts = loadPromptTemplates({
      ...options,
      directories: [linked],
      prompts: { toolResults: 'link.md', userMessages: join(linked, 'good.md') },
    });
    expect(prompts.toolResults).toBe('good {content}');
    expect(prompts.userMessages).toBe('good {content}');
    expect(warnings).toEqual([]);
  });

  it.skipIf(isWindows)('never waits for a pipe', () => {
    const { warnings, project, options } = hostileProject();
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(project, 'pipe.md')]);
    const prompts = loadPromptTemplates({ ...options, prompts: { toolResults: 'pipe.md' } });
    expect(prompts.toolResults).toBe('default');
    expect(warnings[0]).toMatch(/not a regular file/);
  });
});
