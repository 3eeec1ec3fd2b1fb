import { describe, expect, it } from 'vitest';
import { SummarizationOptionError, summarizationMiddleware } from '../../src/index.ts';
import { untyped } from '../support/untyped.ts';
import { cells, notNumbers, optionRows, sharedRows, wholeNumber } from './option-table.ts';

/** The error that an untyped caller gets. */
function errorOf(options: unknown): SummarizationOptionError {
  try {
    summarizationMiddleware(untyped(options));
  } catch (error) {
    if (SummarizationOptionError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('The options were accepted.');
}

describe('the options of the middleware', () => {
  it.each(cells(optionRows, 'good'))('accepts $option: $shown', ({ option, value }) => {
    expect(() => summarizationMiddleware({ [option]: value })).not.toThrow();
  });

  it.each(cells(optionRows, 'bad'))('refuses $option: $shown', ({ option, value, allowed }) => {
    const error = errorOf({ [option]: value });
    // Of an object of several, the one that is wrong.
    expect(error.option.replace(/\..*/, '')).toBe(option);
    expect(error.option === option ? error.value : value).toBe(value);
    expect(error.message).toContain(`Invalid option ${error.option}: got `);
    expect(error.message).toMatch(allowed);
  });

  it.each(
    cells(
      [
        ...sharedRows,
        wholeNumber('contextLength', 1),
        {
          option: 'tokenMultiplier',
          allowed: /a number from 0.1 to 10/,
          good: [0.1, 1.35, 10],
          bad: [0, 11, ...notNumbers],
        },
      ],
      'bad',
    ),
  )('refuses providers.openai.$option: $shown', ({ option, value, allowed }) => {
    const error = errorOf({ providers: { anthropic: {}, openai: { [option]: value } } });
    expect(error.option).toBe(`providers.openai.${option}`);
    expect(error.message).toMatch(allowed);
  });

  it('refuse each what is nothing, by their names', () => {
    const namesIn = (given: unknown): readonly string[] =>
      /names: ([^;]*)/.exec(errorOf(given).allowed)?.[1]?.split(', ') ?? [];
    const named = namesIn({ unheardOf: 1 });
    expect(named).toEqual(expect.arrayContaining(optionRows.map(({ option }) => option)));
    for (const name of named) {
      const { option, value, allowed } = errorOf({ [name]: null });
      expect([option, value]).toEqual([name, null]);
      expect(allowed).not.toBe('');
    }
    expect(namesIn({ providers: { openai: { unheardOf: 1 } } }).toSorted()).toEqual(
      [...sharedRows.map(({ option }) => option), 'contextLength', 'tokenMultiplier'].toSorted(),
    );
  });

  it.each([[null], [1], ['options'], [[]]])('refuses %j for options', (options) => {
    expect(errorOf(options).message).toMatch(/Invalid option options: .* an object/);
  });

  it.each(['triggerRatio', 'tokenMultiplier', 'constructor', 'toString'])(
    'refuses the unknown name %s and lists the known ones',
    (name) => {
      const error = errorOf({ [name]: 1 });
      expect(error.option).toBe(name);
      expect(error.message).toMatch(/one of these names: .*triggerTokenRatio/);
    },
  );

  it.each(['minMessages', 'strategy', '__proto__'])('refuses providers.openai.%s', (name) => {
    const overrides: unknown = JSON.parse(`{"${name}": 1}`);
    const error = errorOf({ providers: { openai: overrides } });
    expect(error.option).toBe(`providers.openai.${name}`);
    expect(error.allowed).toContain('tokenMultiplier');
  });

  it.each([[null], [1], ['x'], [[]]])('refuses %j for the overrides of a provider', (overrides) => {
    expect(errorOf({ providers: { openai: overrides } }).option).toBe('providers.openai');
  });

  it('takes undefined for an option that was not given', () => {
    const all = Object.fromEntries(optionRows.map(({ option }) => [option, undefined]));
    expect(() => summarizationMiddleware(all)).not.toThrow();
  });

  it('does not print a secret', () => {
    const { message } = errorOf({ secret: 'hunter2' });
    expect(message).not.toContain('hunter2');
    expect(message).toContain(
      'secret: got a string of 7 characters, allowed is a string of at least 16 characters',
    );
  });

  it('cuts a long value in its message', () => {
    expect(errorOf({ placement: 'x'.repeat(10_000) }).message.length).toBeLessThan(300);
  });
});
