import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { isContextOverflow } from '../../src/index.ts';
import { openai, otherErrors, otherWords, overflowErrors, refusedWords } from './errors.ts';

function failed(statusCode: number, body: unknown): APICallError {
  return new APICallError({
    message: 'Bad Request',
    url: 'https://api.example.com/v1/chat/completions',
    requestBodyValues: {},
    statusCode,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The same words as servers and gateways put them. */
const bodies: readonly (readonly [string, (text: string) => unknown])[] = [
  ['OpenAI', (text) => openai(text, null)],
  ['a message', (message) => ({ message })],
  ['a detail of FastAPI', (msg) => ({ detail: [{ type: 'value_error', msg }] })],
  ['an error message', (text) => ({ code: 20_015, error_message: text })],
  ['errors', (message) => ({ success: false, errors: [{ code: 5021, message }] })],
  ['a text', (text) => text],
  ['HTML', (text) => `<html><body><h1>${text}</h1></body></html>`],
  [
    'JSON in a text',
    (text) => ({ error: `503 from upstream: ${JSON.stringify({ error: text })}` }),
  ],
];

describe('isContextOverflow', () => {
  it.each(refusedWords)('recognizes %i %s', (status, text, says) => {
    for (const [, body] of bodies.slice(0, 2)) {
      const overflow = isContextOverflow(failed(status, body(text)));
      expect({ unit: undefined, ...Object(overflow) }).toMatchObject({ unit: undefined, ...says });
    }
  });

  it.each(bodies)('reads %s', (_name, body) => {
    const missed = refusedWords.filter(
      ([status, text]) => isContextOverflow(failed(status, body(text))) === false,
    );
    expect(missed).toEqual([]);
  });

  it.each(otherWords)('takes for something else %i %s', (status, text) => {
    const taken = bodies.filter(
      ([, body]) => isContextOverflow(failed(status, body(text))) !== false,
    );
    expect(taken.map(([name]) => name)).toEqual([]);
  });

  it('recognizes every error of which we have a report, and no other', () => {
    const missed = overflowErrors.filter(
      ({ status, body }) => isContextOverflow(failed(status, body)) === false,
    );
    const taken = otherErrors.filter(([, status, body]) => isContextOverflow(failed(status, body)));
    expect({ missed, taken }).toEqual({ missed: [], taken: [] });
  });
});
