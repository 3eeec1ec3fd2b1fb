import { describe, expect, it } from 'vitest';
import { faultsOfCode, faultsOfDocument } from './words/find-words.ts';

const kindsOf = (faults: ReturnType<typeof faultsOfCode>): readonly string[] =>
  faults.map(({ kind, line, text }) => `${line} ${kind}: ${text}`);

describe('the check of words', () => {
  it('finds sentences without a subject, in comments and documents', () => {
    const source = [
      '/**',
      ' * Reads a file. What is no file is refused.',
      ' * One that is empty reads as nothing.',
      ' *',
      ' * @returns What it holds.',
      ' */',
      '// Of two files',
      '// the newer counts.',
      'export const read = 1;',
    ].join('\n');
    expect(kindsOf(faultsOfCode('a.ts', source))).toEqual([
      '2 headless: What is no file is refused.',
      '3 headless: One that is empty reads as nothing.',
      '5 headless: What it holds.',
      '7 headless: Of two files the newer counts.',
    ]);
    const document =
      '# Who pays\n\n- It pays.\n  Of two, one.\n\n```ts\n// What?\n```\n\n| Who reads. | b |\n';
    expect(kindsOf(faultsOfDocument(document))).toEqual([
      '1 headless: Who pays',
      '4 headless: Of two, one.',
      '10 headless: Who reads.',
    ]);
  });

  it('finds "behind" for after, and British spelling, in sentences that are quoted too', () => {
    const source = [
      "throw new Error('It was not summarised, whatever the behaviour.');",
      'const text = `A line ${1} behind the other one.`;',
      "const key = 'summarised';",
    ].join('\n');
    expect(kindsOf(faultsOfCode('a.ts', source))).toEqual([
      '1 british: It was not summarised, whatever the behaviour.',
      '2 behind: A line … behind the other one.',
    ]);
  });

  it('finds participles among the names of variables and parameters', () => {
    const source = [
      'const { a: known, b: [held = 1], ...left } = value;',
      'const read = ({ given }: { given: string }) => given;',
      'const needed = (hundred: number, seed: number) => hundred + seed;',
    ].join('\n');
    const names = faultsOfCode('a.ts', source).map(({ text }) => text);
    expect(names.toSorted()).toEqual(['given', 'held', 'known', 'left', 'needed']);
  });

  it('passes questions, caches, code and American spelling', () => {
    const document =
      'What does it cost? A summary behind a prompt cache is summarized. `behind` and `summarised` are code.\n\n```\nbehaviour\n```\n';
    expect(faultsOfDocument(document)).toEqual([]);
    expect(faultsOfCode('a.ts', "it('has what stands behind', run);")).toHaveLength(1);
  });

  it('finds the titles of tests, and no other text of theirs', () => {
    const source = "it('Who reads', () => run('it stands behind the other'));";
    expect(kindsOf(faultsOfCode('a.test.ts', source, { titlesOnly: true }))).toEqual([
      '1 headless: Who reads',
    ]);
  });
});
