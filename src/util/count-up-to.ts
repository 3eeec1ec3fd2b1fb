/** How many of ascending numbers are not above a value. */
export function countUpTo(numbers: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
