import { describe, expect, it } from 'vitest';
import { SummarizationOptionError } from '../../src/errors/summarization-option-error.ts';
import { checkTemplate, fillTemplate } from '../../src/summarize/fill-template.ts';

describe('fillTemplate', () => {
  it.each(['$&', '$`', "$'", '$$', '$1', '{content}', '{max_chars}', '{prior_summary}', '\\'])(
    'inserts %s as it is, once',
    (hostile) => {
      const filled = fillTemplate('a {content} b {max_chars} c', {
        content: hostile,
        max_chars: '9',
      });
      expect(filled).toBe(`a ${hostile} b 9 c`);
    },
  );

  it.each(['{constructor}', '{toString}', '{__proto__}', '{unknown}', '{Content}', '{ content }'])(
    'leaves %s as it is',
    (text) => {
      expect(fillTemplate(text, { content: 'x' })).toBe(text);
    },
  );

  it('keeps braces of JSON in a template', () => {
    expect(fillTemplate('{"a": {content}}', { content: '1' })).toBe('{"a": 1}');
  });
});

describe('checkTemplate', () => {
  it.each([
    ['nothing in it', 'plain text'],
    ['a required name twice', '{content} {content} {prior_summary}'],
    ['a required name missing', '{content}'],
    ['an unknown name', '{content} {prior_summary} {messages}'],
  ])('refuses a template with %s', (_, template) => {
    const check = (): void => {
      checkTemplate('prompts.update', template, ['content', 'prior_summary']);
    };
    expect(check).toThrow(SummarizationOptionError);
    expect(check).toThrow(/prompts\.update/);
  });

  it('accepts a template with the required names and optional ones', () => {
    expect(() => {
      checkTemplate('prompts.first', '{max_chars} {"json": 1} {content} {max_chars}', ['content']);
    }).not.toThrow();
  });
});
