/** A sample shows the script of a text as well as the whole, which may be megabytes. */
const sampleCharacters = 1000;

/** How many characters of a text's script make a token. */
export function charactersPerToken(text: string, count: (text: string) => number): number {
  const sample = text.slice(0, sampleCharacters);
  return sample.length / Math.max(count(sample), 1);
}
