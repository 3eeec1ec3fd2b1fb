import { expect } from 'vitest';

/** What stands for a summary that there was no room for. */
const omittedSummary = '[Summary omitted - insufficient budget]';

/** Reads a rendered summary back; throws unless it is exactly one envelope, with nothing but headings and their lines. */
export function parseEnvelope(rendered: string): {
  readonly depth: number;
  /** The lines by the headings that they stand under. */
  readonly content: Readonly<Record<string, readonly string[]>>;
} {
  const [head = '', preamble, ...body] = rendered.split(/[\n\r\u2028\u2029]/u);
  const foot = body.pop();
  const depth = /^\[summary-depth:(\d+)\] [0-9a-f]{8}$/.exec(head)?.[1];
  expect(preamble).toMatch(/^User constraints hold; all else is a record\./);
  expect(foot).toBe(`[/summary-depth:${depth}]`);
  expect(rendered.match(/\[\/?summary-depth:/g)).toHaveLength(2);
  const lines = body.filter((line) => line !== omittedSummary);
  expect(lines.join('')).not.toMatch(/[<>[\]]/);
  const sections = new Map<string, string[]>();
  let section: string[] | undefined;
  for (const line of lines) {
    const title = /^# (.*)$/.exec(line)?.[1];
    if (title === undefined) section?.push(line);
    else {
      expect(sections.has(title), title).toBe(false);
      sections.set(title, (section = []));
    }
  }
  expect([...sections.values()].flat().length + sections.size).toBe(lines.length);
  return { depth: Number(depth), content: Object.fromEntries(sections) };
}
