import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, variablesOf } from '../../../src/prompts/template.ts';

describe('fillTemplate', () => {
  it.each([
    '$&',
    '$`',
    "$'",
    '$$',
    '$1',
    '{content}',
    '{max_chars}',
    '{prior_summary}',
    '{{',
    '}}',
    '\\',
    '\ud800',
  ])('inserts %s as it is, once', (hostile) => {
    const filled = fillTemplate('a {content} b {max_chars} c', { content: hostile, max_chars: '9' });
    expect(filled).toBe(`a ${hostile} b 9 c`);
  });

  it.each(['{constructor}', '{toString}', '{__proto__}', '{unknown}', '{Content}', '{ content }'])(
    'leaves %s as it is',
    (text) => {
      expect(fillTemplate(text, { content: 'x' })).toBe(text);
    },
  );

  it.each([
    ['{"a": {content}}', '{"a": 1}'],
    ['{{content}}', '{content}'],
    ['{{{content}}}', '{1}'],
    ['{{"a": {content}}}', '{"a": 1}'],
    ['}} {{', '} {'],
    ['{', '{'],
    ['{}', '{}'],
    ['{{{{content}}}}', '{{content}}'],
    ['{content}{content}', '11'],
  ])('reads %s from the left', (template, filled) => {
    expect(fillTemplate(template, { content: '1' })).toBe(filled);
  });

  it('inserts any text unchanged', () => {
    assert(
      property(string({ unit: 'binary' }), string(), (content, prior) => {
        expect(
          fillTemplate('<{content}|{prior_summary}>', { content, prior_summary: prior }),
        ).toBe(`<${content}|${prior}>`);
      }),
    );
  });

  it('reads a megabyte of braces in one pass', () => {
    const braces = '{'.repeat(1_000_001);
    expect(fillTemplate(braces, {})).toHaveLength(500_001);
    expect(variablesOf('{a'.repeat(500_000))).toEqual([]);
  });
});
