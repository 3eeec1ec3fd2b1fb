import { expect, it } from 'vitest';
import { SummarizationOptionError, summarizationMiddleware } from '../../src/index.ts';
import { untyped } from '../support/untyped.ts';

const misspelt: readonly (readonly [options: object, option: string, meant: string])[] = [
  [{ triggerRatio: 0.5 }, 'triggerRatio', 'triggerTokenRatio'],
  [{ minMessage: 2 }, 'minMessage', 'minMessages'],
  [{ preserverecent: 4 }, 'preserverecent', 'preserveRecent'],
  [{ maxSummariesPerHour: 3 }, 'maxSummariesPerHour', 'maxSummaryCallsPerHour'],
  [{ placement: 'system_merged' }, 'placement', 'system-merged'],
  [{ atMaxDepth: 'rebased' }, 'atMaxDepth', 'rebase'],
  [{ messageFilter: { toolResult: 'omit' } }, 'messageFilter.toolResult', 'toolResults'],
  [
    { providers: { openai: { contextLenght: 5 } } },
    'providers.openai.contextLenght',
    'contextLength',
  ],
  [{ archive: { maxFileByte: 1 } }, 'archive.maxFileByte', 'maxFileBytes'],
];

it.each(misspelt)('%j: the name that may be meant is said', (options, option, meant) => {
  try {
    summarizationMiddleware(untyped(options));
  } catch (error) {
    if (!SummarizationOptionError.isInstance(error)) throw error;
    expect(error.option).toBe(option);
    expect(error.message.endsWith(`did you mean ${meant}?`)).toBe(true);
    return;
  }
  throw new Error('not refused');
});
