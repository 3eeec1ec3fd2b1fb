export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** Cuts the middle out, because commands differ in their ends. */
export function cut(text: string, length: number): string {
  if (text.length < length) return text;
  return `${text.slice(0, 14)}…${text.slice(text.length - length + 16)}`;
}

/** Breaks a text into lines of at most `length` characters, at spaces where there are any. */
export function wrap(text: string, length: number): readonly string[] {
  return (
    text.match(new RegExp(String.raw`\S.{0,${length - 2}}(?=\s|$)|\S{${length}}`, 'g')) ?? ['']
  );
}
