import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { speakingSource, thrownTexts } from './thrown-texts.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const [, page = ''] = read('../../../docs/when-something-is-wrong.md').split(
  '## Errors and warnings',
);
const quoted = [...page.matchAll(/^> (.+)$/gm)].map((match) => match[1] ?? '');
const headings = [...page.matchAll(/^### (.+)$/gm)].map((match) => match[1]);

/** Texts that differ only in how many things are put into them are one. */
const plain = (text: string): string => text.replaceAll(/…+/g, '…');

function namesIn(path: string, type: RegExp): readonly string[] {
  const [, list = ''] = type.exec(read(path)) ?? [];
  return [...list.matchAll(/'([a-z-]+)'/g)].map((match) => match[1] ?? '');
}

describe('the page of errors', () => {
  const known = quoted.map(plain);

  it.each(thrownTexts())('has the text %j', (text) => {
    expect(known).toContain(plain(text));
  });

  it('quotes nothing that nobody says', () => {
    const said = new Set(thrownTexts().map(plain));
    // Those that are put together from pieces.
    const pieced = quoted.filter((text) => !said.has(plain(text)));
    const source = speakingSource().replaceAll(/…+/g, '…');
    const pieces = pieced
      .flatMap((text) => text.split('…'))
      .map((piece) => piece.replaceAll(/^[:(). ]+|[:(). ]+$/g, ''));
    expect(pieces.filter((piece) => !source.includes(piece))).toEqual([]);
  });

  it('has a section for each reason, each warning and each error', () => {
    const reasons = namesIn(
      '../../../src/errors/summarization-error.ts',
      /export type SummarizationFailure =([^;]+);/,
    );
    const warnings = namesIn(
      '../../../src/report/events.ts',
      /readonly warning: \{\s*readonly code:([^;]+);/,
    );
    expect(reasons.length).toBeGreaterThan(10);
    expect(warnings.length).toBeGreaterThan(5);
    const others = ['SummarizationOptionError', 'ContextOverflowError'];
    expect(new Set(headings)).toEqual(new Set([...others, ...reasons, ...warnings]));
    expect(new Set(headings).size).toBe(headings.length);
  });
});
