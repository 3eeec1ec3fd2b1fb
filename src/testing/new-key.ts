/** A key as those of the package are: 64 hexadecimal digits. */
export function newKey(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');
}

/** Keys that differ from one, and from each other, in a single digit: the first, one in the middle, the last. */
export function neighboursOf(key: string): readonly string[] {
  return [0, key.length / 2, key.length - 1].map((index) => {
    const digit = (Number.parseInt(key.charAt(index), 16) + 1) % 16;
    return `${key.slice(0, index)}${digit.toString(16)}${key.slice(index + 1)}`;
  });
}
