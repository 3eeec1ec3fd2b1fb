import { describe, expect, it } from 'vitest';
import { llmStrategy, SummarizationOptionError } from '../../../src/index.ts';
import { fillTemplate, variablesOf } from '../../../src/prompts/template.ts';
import { resolvePrompts } from '../../../src/prompts/resolve-prompts.ts';

const builtIn = resolvePrompts();

describe('resolvePrompts', () => {
  it('gives the built-in texts for nothing and for default', () => {
    const given = {
      summary: 'default',
      toolResults: 'default',
      userMessages: 'default',
      agentMessages: 'default',
    };
    const resolved = resolvePrompts(given);
    expect(resolved).toEqual(builtIn);
    expect(resolved.maxSummaryChars).toBe(500);
    expect(resolved.summary.first).toContain('{content}');
  });

  it('takes texts', () => {
    const resolved = resolvePrompts({
      toolResults: 'T {content}',
      userMessages: 'U {content}',
      maxSummaryChars: 80,
    });
    expect(resolved).toEqual({
      ...builtIn,
      toolResults: 'T {content}',
      userMessages: 'U {content}',
      maxSummaryChars: 80,
    });
  });

  it('replaces only the named texts of a summary', () => {
    const { summary } = resolvePrompts({ summary: { first: 'F {content}', update: 'default' } });
    expect(summary).toEqual({ ...builtIn.summary, first: 'F {content}' });
  });

  it('puts the previous record above a text that does not name it', () => {
    const { summary } = resolvePrompts({ summary: 'Mine {{}}: {content}' });
    expect(summary.system).toBe(builtIn.summary.system);
    expect(summary.first).toBe('Mine {{}}: {content}');
    expect(summary.rebase).toBe(summary.update);
    expect(variablesOf(summary.update)).toEqual(['prior_summary', 'content']);
    const filled = fillTemplate(summary.update, { content: '[1]', prior_summary: '{"k0":1}' });
    expect(filled).toMatch(/\{"k0":1\}\n\nMine \{\}: \[1\]\n\n.*"superseded"/s);
  });

  it('leaves the previous record where a text puts it', () => {
    const text = '{content} after {prior_summary}';
    const { summary } = resolvePrompts({ summary: text });
    expect(summary.first).toBe(text);
    expect(summary.update.startsWith(`${text}\n\nThe lists`)).toBe(true);
    expect(variablesOf(summary.update)).toEqual(['content', 'prior_summary']);
  });

  const hostile: [string, unknown][] = [
    ['prompts', []],
    ['prompts.__proto__', JSON.parse('{"__proto__": {}}')],
    ['prompts.toolResults', { toolResults: '{{content}}' }],
    ['prompts.toolResults', { toolResults: '{content} {content}' }],
    ['prompts.toolResults', { toolResults: ['{content}'] }],
    ['prompts.userMessages', { userMessages: { text: '{content}' } }],
    ['prompts.summary', { summary: 'nothing' }],
    ['prompts.summary.first', { summary: { first: '{prior_summary}' } }],
    ['prompts.summary.update', { summary: { update: '{content}' } }],
    ['prompts.summary.rebase', { summary: { rebase: '{prior_summary}' } }],
    ['prompts.summary.text', { summary: { text: '{content}' } }],
    ['prompts.maxSummaryChars', { maxSummaryChars: Number.NaN }],
  ];

  it.each(hostile)('refuses a wrong %s: %j', (option, prompts) => {
    let thrown: unknown;
    try {
      // Callers without types can give anything.
      Reflect.apply(llmStrategy, undefined, [{ prompts }]);
    } catch (error) {
      thrown = error;
    }
    if (!SummarizationOptionError.isInstance(thrown)) throw new Error('not refused');
    expect(thrown.option).toBe(option);
    expect(thrown.allowed).not.toBe('');
  });
});
