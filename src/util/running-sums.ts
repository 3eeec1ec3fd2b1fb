/** What items come to together. */
export function sumOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

/** Sums of all values before each index. */
export function sumsBefore(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return sums;
}

/** Sums of all values from each index on. */
export function sumsFrom(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let index = values.length - 1; index >= 0; index -= 1)
    sums[index] = (sums[index + 1] ?? 0) + (values[index] ?? 0);
  return sums;
}
