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

function refusal(options: object): unknown {
  try {
    return summarizationMiddleware(untyped(options));
  } catch (error) {
    return error;
  }
}

it.each(misspelt)('%j: the name that may be meant is said', (options, option, meant) => {
  const error = refusal(options);
  expect(error).toBeInstanceOf(SummarizationOptionError);
  expect(error).toMatchObject({ option });
  expect(String(error)).toMatch(new RegExp(`did you mean ${meant}\\?$`));
});
