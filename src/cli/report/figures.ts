import type { InspectedLimit } from './inspection.ts';

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

/** Tokens of the largest prompt as it would have been sent. */
export function largestPrompt({ calls }: Pick<InspectedLimit, 'calls'>): number {
  return Math.max(0, ...calls.map(({ tokensWithout }) => tokensWithout));
}

/** What input tokens cost, in brackets, where it is known what a million of them cost. */
export function costText(tokens: number, price: number | undefined): string {
  return price === undefined ? '' : ` ($${((tokens * price) / 1_000_000).toFixed(2)})`;
}

/** Without line breaks and controls, which a terminal would obey. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
