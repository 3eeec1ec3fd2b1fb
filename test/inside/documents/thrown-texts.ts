import { readdirSync, readFileSync } from 'node:fs';

const source = new URL('../../../src/', import.meta.url);

/** What makes a file one that throws or warns. */
const speaks =
  /new (?:SummarizationError|ContextOverflowError)\(|storeFailure\(|\bcode: '[a-z-]+'|\bcause: `|name: 'SummarizationOptionError'/;

/** A whole sentence in quotes. */
const sentence = /(['"`])([A-Z](?:(?!\1)[^\n])* (?:(?!\1)[^\n])*\.)\1/g;

/** What files that throw or warn say, with `…` for what is put in. */
export function speakingSource(): string {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('testing/'))
    .map((path) => readFileSync(new URL(path, source), 'utf8'))
    .filter((text) => speaks.test(text))
    .map(joined)
    .join('\n');
}

/** The texts of errors and warnings as the source has them, as far as they stand in one piece. */
export function thrownTexts(): readonly string[] {
  return [...new Set([...speakingSource().matchAll(sentence)].map((match) => match[2] ?? ''))];
}

/** Without comments, literals that are joined as one, and `…` for what is put in. */
function joined(text: string): string {
  let code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').replaceAll(/['"`] \+\s*['"`]/g, '');
  // From the inside out, because a text may be put into one that is put in.
  for (let before = ''; before !== code;) {
    before = code;
    code = code.replaceAll(/\$\{[^{}`]*(?:`[^`$]*`[^{}`]*)?\}/g, '…');
  }
  return code;
}
