import { expect } from 'vitest';

/** What stands for a summary that there was no room for. */
const omittedSummary = '[Summary omitted - insufficient budget]';

/** Reads a rendered summary back; throws unless it is exactly one envelope with one line of JSON. */
export function parseEnvelope(rendered: string): {
  readonly depth: number;
  readonly content: Readonly<Record<string, unknown>>;
} {
  const lines = rendered.split(/[\n\r\u2028\u2029]/u);
  expect(lines).toHaveLength(4);
  const [head = '', , body = '', foot = ''] = lines;
  const depth = /^\[summary-depth:(\d+)\] [0-9a-f]{16}$/.exec(head)?.[1];
  expect(foot).toBe(`[/summary-depth:${depth}]`);
  expect(rendered.match(/\[\/?summary-depth:/g)).toHaveLength(2);
  if (body === omittedSummary) return { depth: Number(depth), content: {} };
  const content: unknown = JSON.parse(body);
  if (typeof content !== 'object' || content === null) throw new Error('The body is no object.');
  return { depth: Number(depth), content: { ...content } };
}
