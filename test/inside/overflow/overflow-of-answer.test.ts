import { describe, expect, it } from 'vitest';
import {
  overflowOfError,
  overflowOfPart,
  overflowOfResult,
} from '../../../src/overflow/overflow-of-answer.ts';
import { apiError } from '../../retry/refusing-model.ts';
import { textResult } from '../../support/models.ts';
import { user } from '../../support/prompt-messages.ts';

const quotation = 'prompt is too long, maximum context length is 256 tokens';
const quoting = apiError(`Invalid value: '${quotation}'.`);

describe('overflowOfError', () => {
  it.each([
    ['is believed of a prompt that fills half of the limit', 0.5, { isUnexplained: true }],
    ['is not believed of a smaller one', 0.49, undefined],
  ])('which quotes the prompt %s', async (_what, fullness, expected) => {
    const sent = { prompt: [user(quotation)], fullness };
    expect(await overflowOfError(quoting, sent)).toEqual(expected);
    expect(await overflowOfPart({ type: 'error', error: quoting }, sent)).toEqual(expected);
  });

  it('which quotes nothing is believed of every prompt', async () => {
    const sent = { prompt: [user('Hello.')], fullness: 0.1 };
    expect(await overflowOfError(quoting, sent)).toMatchObject({ limit: 256 });
  });

  it('which is none of an overflow is passed on', async () => {
    const sent = { prompt: [user(quotation)], fullness: 1 };
    expect(await overflowOfError(apiError('Invalid value.'), sent)).toBeUndefined();
  });
});

const full = { unified: 'length', raw: 'model_context_window_exceeded' } as const;
const cut = { unified: 'length', raw: 'length' } as const;

describe('overflowOfResult', () => {
  const empty = { type: 'text', text: '' } as const;
  const said = { type: 'text', text: 'Half' } as const;
  const thought = { type: 'reasoning', text: '' } as const;

  it.each([
    ['no content', [], full, {}],
    ['empty texts', [empty, empty], full, {}],
    ['a text', [said], full, undefined],
    ['a text after an empty one', [empty, said], full, undefined],
    ['other content', [thought], full, undefined],
    ['no content for another reason', [], cut, undefined],
    ['a text for another reason', [said], cut, undefined],
  ])('says of an answer with %s whether it is one', (_what, content, finishReason, expected) => {
    expect(overflowOfResult({ ...textResult(''), content, finishReason })).toEqual(expected);
  });
});

describe('overflowOfPart', () => {
  const sent = { prompt: [user('Hello.')], fullness: 0.1 };
  const { usage } = textResult('');

  it('takes the end of a stream for one where the context is full', async () => {
    expect(await overflowOfPart({ type: 'finish', usage, finishReason: full }, sent)).toEqual({});
    expect(
      await overflowOfPart({ type: 'finish', usage, finishReason: cut }, sent),
    ).toBeUndefined();
  });

  it('takes no other part for one, whatever it holds', async () => {
    const delta = { type: 'text-delta', id: '0', delta: quotation } as const;
    const withError = { ...delta, error: quoting };
    const withReason = { ...delta, finishReason: full };
    expect(await overflowOfPart(withError, sent)).toBeUndefined();
    expect(await overflowOfPart(withReason, sent)).toBeUndefined();
  });
});
