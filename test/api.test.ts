import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { declarationReader } from './api/describe-exports.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'declarations-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, ...lines: readonly string[]): string => {
  const file = path.join(folder, name);
  writeFileSync(file, lines.join('\n'));
  return file;
};

it('the report of the API has each export under its name, and each type that one mentions', () => {
  write(
    'part.d.ts',
    'interface Inner { readonly size: number }',
    '/** Options. */',
    'interface Options {',
    '  /** The part. */',
    '  readonly part: Inner;',
    '}',
    'declare const mark = "!";',
    'interface Unused {}',
    'export { Options as a, mark as b };',
  );
  const entry = write(
    'index.d.ts',
    'import { a as Options, b as mark } from "./part.js";',
    'declare function make(options?: Options): void;',
    'declare function make(): string;',
    'export { type Options as MakeOptions, make, type mark };',
  );
  const { exported, mentioned } = declarationReader()(entry);
  expect(exported).toEqual([
    {
      name: 'MakeOptions',
      isValue: false,
      text: 'interface MakeOptions {\n  readonly part: Inner;\n}',
    },
    {
      name: 'make',
      isValue: true,
      text: 'declare function make(options?: Options): void;\ndeclare function make(): string;',
    },
    // Declared as a value and exported as a type: the check finds that the program does not have it.
    { name: 'mark', isValue: true, text: 'declare const mark = "!";' },
  ]);
  expect([...mentioned]).toEqual([['Inner', 'interface Inner { readonly size: number }']]);
});
