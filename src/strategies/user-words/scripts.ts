/** Scripts by name. A character of some says as much as several letters of the others. */
const scripts: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly weight: number;
}[] = [
  { name: 'Latin', pattern: /\p{sc=Latin}/gu, weight: 1 },
  { name: 'Cyrillic', pattern: /\p{sc=Cyrillic}/gu, weight: 1 },
  { name: 'Chinese', pattern: /\p{sc=Han}/gu, weight: 3 },
  { name: 'Japanese', pattern: /[\p{sc=Hiragana}\p{sc=Katakana}]/gu, weight: 3 },
  { name: 'Korean', pattern: /\p{sc=Hangul}/gu, weight: 3 },
  { name: 'Arabic', pattern: /\p{sc=Arabic}/gu, weight: 1 },
  { name: 'Devanagari', pattern: /\p{sc=Devanagari}/gu, weight: 1 },
  { name: 'Greek', pattern: /\p{sc=Greek}/gu, weight: 1 },
  { name: 'Hebrew', pattern: /\p{sc=Hebrew}/gu, weight: 1 },
  { name: 'Thai', pattern: /\p{sc=Thai}/gu, weight: 1 },
];

/** Share of the letters of a text from which on it is written in a script. */
const scriptShare = 0.3;

/** Letters by which a script is told; fewer are a name or a quotation. */
const leastLetters = 12;

/** Share of what stands in Chinese characters and kana that is kana in Japanese. */
const kanaShare = 0.1;

/** Characters from the beginning and from the end of a message by which its script is told. */
const edgeCharacters = 300;

/** Newest messages that are looked at, and the share of them that must be written in a script. */
const mostMessages = 50;
const messageShare = 0.25;

/** Scripts that a text is written in, names of files, code and figures in it aside. */
export function scriptsOf(text: string): readonly string[] {
  const letters = lettersByScript(text);
  const least = Math.max(leastLetters, scriptShare * sumOf(letters));
  return [...letters].filter(([, count]) => count >= least).map(([name]) => name);
}

/** Scripts that a text holds a word of. */
export function scriptsIn(text: string): readonly string[] {
  return [...lettersByScript(text)].filter(([, count]) => count > 1).map(([name]) => name);
}

/**
 * Scripts that somebody writes in, by their messages: what most of a message is written in, and what it has a sentence
 * in beside Latin letters, which documents and code are full of. None where that cannot be told.
 */
export function scriptsWritten(messages: readonly string[]): ReadonlySet<string> {
  const written = messages
    .slice(-mostMessages)
    .map((text) => scriptsOfMessage(edgesOf(text)))
    .filter((names) => names.length > 0);
  const counts = Map.groupBy(written.flat(), (name) => name);
  const names = [...counts].filter(([, { length }]) => length >= messageShare * written.length);
  return new Set(names.map(([name]) => name));
}

function scriptsOfMessage(text: string): readonly string[] {
  const named = [...lettersByScript(text)]
    .filter(([name, count]) => name !== 'Latin' && count >= leastLetters)
    .map(([name]) => name);
  return [...new Set([...scriptsOf(text), ...named])];
}

function edgesOf(text: string): string {
  return text.length <= 2 * edgeCharacters
    ? text
    : `${text.slice(0, edgeCharacters)} ${text.slice(-edgeCharacters)}`;
}

/** Runs of what names and code are written with, and what of them no word has. */
const run = /[\w./\\@#:-]+/g;
const noWord = /[\d_./\\@#:].|[a-z][A-Z]/;

function lettersByScript(text: string): ReadonlyMap<string, number> {
  const words = text.replaceAll(run, (found) => (noWord.test(found) ? ' ' : found));
  const letters = new Map<string, number>();
  for (const { name, pattern, weight } of scripts) {
    const count = weight * (words.match(pattern)?.length ?? 0);
    if (count > 0) letters.set(name, count);
  }
  const kana = letters.get('Japanese') ?? 0;
  const both = kana + (letters.get('Chinese') ?? 0);
  if (both === 0) return letters;
  // Japanese is written with Chinese characters too.
  const isJapanese = kana >= kanaShare * both;
  letters.delete(isJapanese ? 'Chinese' : 'Japanese');
  letters.set(isJapanese ? 'Japanese' : 'Chinese', both);
  return letters;
}

function sumOf(letters: ReadonlyMap<string, number>): number {
  return [...letters.values()].reduce((sum, count) => sum + count, 0);
}
