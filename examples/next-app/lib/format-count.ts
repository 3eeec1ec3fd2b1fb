/** Writes a whole number with separators, the same on the server and in every browser. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
