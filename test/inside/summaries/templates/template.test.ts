import { describe, expect, it } from 'vitest';
import { llmStrategy } from '../../../../src/index.ts';
import { resolvePrompts } from '../../../../src/summaries/templates/resolve-prompts.ts';
import { fillTemplate, variablesOf } from '../../../../src/summaries/templates/template.ts';

describe('fillTemplate', () => {
  it.each(['$&', "$'", '$1', '{content}', '{max_chars}', '{{', '}}', '\\', '\ud800'])(
    'inserts %s as it is, once',
    (content) => {
      const filled = fillTemplate('a {content} b {max_chars} c', { content, max_chars: '9' });
      expect(filled).toBe(`a ${content} b 9 c`);
    },
  );

  it.each([
    [
      '{constructor} {__proto__} {Content} { content }',
      '{constructor} {__proto__} {Content} { content }',
    ],
    ['{"a": {content}}', '{"a": 1}'],
    ['{{content}}', '{content}'],
    ['{{"a": {content}}}', '{"a": 1}'],
    ['{}', '{}'],
    ['{content}{content}', '11'],
  ])('reads %s from the left', (template, filled) => {
    expect(fillTemplate(template, { content: '1' })).toBe(filled);
  });

  it('reads a megabyte of braces in one pass', () => {
    expect(fillTemplate('{'.repeat(1_000_001), {})).toHaveLength(500_001);
    expect(variablesOf('{a'.repeat(500_000))).toEqual([]);
  });
});

describe('resolvePrompts', () => {
  const builtIn = resolvePrompts();

  it('gives the built-in texts for nothing and for default, and takes those that are given', () => {
    const none = { summary: 'default', toolResults: 'default', userMessages: 'default' };
    expect(resolvePrompts(none)).toEqual(builtIn);
    expect(builtIn.maxSummaryChars).toBe(500);
    const given = { toolResults: 'T {content}', maxSummaryChars: 80 };
    const summary = { first: 'F {content}', update: 'default' };
    expect(resolvePrompts({ ...given, summary })).toEqual({
      ...builtIn,
      ...given,
      summary: { ...builtIn.summary, first: 'F {content}' },
    });
  });

  it.each([
    ['above a text that does not name it', 'Mine {{}}: {content}', ['prior_summary', 'content']],
    ['where a text puts it', '{content} after {prior_summary}', ['content', 'prior_summary']],
  ])('puts the previous record %s', (_where, text, variables) => {
    const { summary } = resolvePrompts({ summary: text });
    expect([summary.system, summary.first]).toEqual([builtIn.summary.system, text]);
    expect(summary.rebase).toBe(summary.update);
    expect(variablesOf(summary.update)).toEqual([...variables, 'max_words', 'max_items']);
    expect(summary.update).toContain(text);
    expect(summary.update).toMatch(/\n\nWrite the whole record anew, /);
  });

  it.each<[string, unknown]>([
    ['prompts', []],
    ['prompts.__proto__', JSON.parse('{"__proto__": {}}')],
    ['prompts.toolResults', { toolResults: '{{content}}' }],
    ['prompts.toolResults', { toolResults: '{content} {content}' }],
    ['prompts.userMessages', { userMessages: { text: '{content}' } }],
    ['prompts.summary.first', { summary: { first: '{prior_summary}' } }],
    ['prompts.summary.update', { summary: { update: '{content}' } }],
    ['prompts.maxSummaryChars', { maxSummaryChars: Number.NaN }],
  ])('refuses a wrong %s: %j', (option, prompts) => {
    // Callers without types can give anything.
    const make = (): unknown => Reflect.apply(llmStrategy, undefined, [{ prompts }]);
    expect(make).toThrow(expect.objectContaining({ option }));
  });
});
