import { execFile } from 'node:child_process';
import { insideWorkspace } from './workspace.ts';

/**
 * Options and arguments that one command accepts. Whatever is not listed is refused, so nothing can write or start a
 * program.
 */
interface CommandRule {
  /** Flags that stand alone. */
  readonly flags: RegExp;
  /** Flags that take the next word, with what that word may be. */
  readonly values?: Readonly<Record<string, RegExp>>;
  /** Flags that are added to every call. */
  readonly always?: readonly string[];
  /** Whether the first operand is a pattern instead of a path. */
  readonly pattern?: boolean;
  /** Operands are paths; `uniq` writes to its second. */
  readonly maxPaths?: number;
}

const count = /^\d+$/;
const rules: Readonly<Record<string, CommandRule>> = {
  cat: { flags: /^-n$/ },
  find: {
    flags: /^$/,
    values: {
      '-name': /./,
      '-path': /./,
      '-type': /^[df]$/,
      '-maxdepth': count,
      '-size': /^[+-]?\d+[ck]$/,
    },
  },
  grep: {
    flags: /^-[rnicowlhHEF]+$/,
    values: { '-A': count, '-B': count, '-m': count },
    always: ['--exclude-dir=.git', '--exclude-dir=node_modules', '--exclude=.env*'],
    pattern: true,
  },
  head: { flags: /^-\d+$/, values: { '-n': count } },
  ls: { flags: /^-[1ahlRrSt]+$/ },
  sort: { flags: /^-[nrufb]+$/, values: { '-k': /^[\d,.nr]+$/, '-t': /^.$/ } },
  tail: { flags: /^-\d+$/, values: { '-n': count } },
  uniq: { flags: /^-[cdui]+$/, maxPaths: 1 },
  wc: { flags: /^-[lwcm]+$/ },
};

/** Names of the commands that {@link runReadOnlyCommand} accepts. */
export const readOnlyCommands: readonly string[] = Object.keys(rules);

/**
 * Runs one command of a short read-only list in `root`, without a shell. Throws with a text the model
 * can act on when the command, a flag or a path is refused.
 */
export async function runReadOnlyCommand(
  root: string,
  command: string,
  abortSignal?: AbortSignal,
): Promise<string> {
  const [name = '', ...words] = splitWords(command);
  if (!Object.hasOwn(rules, name)) {
    throw new Error(
      `${name || 'An empty command'}: refused, allowed is ${readOnlyCommands.join(', ')}.`,
    );
  }
  const args = await checkArguments(root, name, words);
  return await new Promise((done, fail) => {
    const child = execFile(
      name,
      args,
      // No inherited environment: API keys stay with this process.
      {
        cwd: root,
        env: { PATH: process.env['PATH'], LC_ALL: 'C' },
        timeout: 5_000,
        signal: abortSignal,
      },
      (error, stdout, stderr) => {
        // `grep` exits with 1 when nothing matches, and what came before the output cap still counts.
        const noMatch = error?.code === 1 && stderr === '';
        if (error === null || noMatch || stdout !== '') done(stdout.trimEnd() || '(no output)');
        else fail(new Error(stderr.trim() || error.message));
      },
    );
    child.stdin?.end();
  });
}

async function checkArguments(root: string, name: string, words: readonly string[]) {
  const rule = rules[name];
  const flags: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const allowed =
      rule?.values && Object.hasOwn(rule.values, word) ? rule.values[word] : undefined;
    if (allowed) {
      const value = words[++index] ?? '';
      if (!allowed.test(value)) throw new Error(`${name} ${word} ${value}: value refused.`);
      flags.push(word, value);
    } else if (!word.startsWith('-')) operands.push(word);
    else if (rule?.flags.test(word)) flags.push(word);
    else throw new Error(`${name} ${word}: refused, this option is not on the read-only list.`);
  }
  const paths = rule?.pattern ? operands.slice(1) : operands;
  if (paths.length > (rule?.maxPaths ?? Infinity)) throw new Error(`${name}: too many files.`);
  await Promise.all(paths.map((path) => insideWorkspace(root, path)));
  if (name === 'find') return [...operands, ...flags];
  return [...flags, ...(rule?.always ?? []), '--', ...operands];
}

/** Splits like a shell does, quotes only. Everything else a shell would act on is refused. */
function splitWords(command: string): string[] {
  const words: string[] = [];
  const token = /\s*((?:"[^"]*"|'[^']*'|[\w./:=@%+,^~-])+)(?=\s|$)/y;
  const text = command.trimEnd();
  while (token.lastIndex < text.length) {
    const word = token.exec(text)?.[1];
    if (word === undefined || /\p{Cc}/u.test(word)) {
      throw new Error(
        'Refused: one plain command, without pipes, redirections, variables or unquoted patterns.',
      );
    }
    words.push(word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  }
  return words;
}
