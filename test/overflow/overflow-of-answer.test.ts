import { describe, expect, it } from 'vitest';
import { overflowOfError, overflowOfPart } from '../../src/overflow/overflow-of-answer.ts';
import { apiError } from '../retry/refusing-model.ts';
import { user } from '../support/prompt-messages.ts';

const quotation = 'prompt is too long, maximum context length is 256 tokens';
const quoting = apiError(`Invalid value: '${quotation}'.`);

describe('overflowOfError', () => {
  it.each([
    ['is believed of a prompt that fills half of the limit', 0.5, { isUnexplained: true }],
    ['is not believed of a smaller one', 0.49, undefined],
  ])('which quotes the prompt %s', (_what, fullness, expected) => {
    const sent = { prompt: [user(quotation)], fullness };
    expect(overflowOfError(quoting, sent)).toEqual(expected);
    expect(overflowOfPart({ type: 'error', error: quoting }, sent)).toEqual(expected);
  });

  it('which quotes nothing is believed of every prompt', () => {
    const sent = { prompt: [user('Hello.')], fullness: 0.1 };
    expect(overflowOfError(quoting, sent)).toMatchObject({ limit: 256 });
  });
});
