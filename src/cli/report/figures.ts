import { costOf, type InspectedLimit } from './inspection.ts';

/** A number with separators of thousands. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A number and what is counted, in the plural but for one. */
export function counted(value: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** How much fewer tokens are sent, in percent. */
export function savedShare({ tokensWithout, tokensWith }: InspectedLimit): number {
  return tokensWithout === 0 ? 0 : Math.round((1 - tokensWith / tokensWithout) * 100);
}

/** The tokens sent without and with, and what they cost where a price is known. */
export function sentTokens(limit: InspectedLimit, price: number | undefined): string {
  const { tokensWithout, tokensWith } = limit;
  const cost = (tokens: number): string =>
    price === undefined ? '' : ` ($${costOf(tokens, price).toFixed(2)})`;
  const share = savedShare(limit);
  const saved = share === 0 ? '' : `, ${Math.abs(share)} % ${share > 0 ? 'fewer' : 'more'}`;
  return `${count(tokensWithout)} input tokens${cost(tokensWithout)} without, ${count(tokensWith)}${cost(tokensWith)} with${saved}`;
}

/** Without line breaks and controls, which a terminal would obey. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
