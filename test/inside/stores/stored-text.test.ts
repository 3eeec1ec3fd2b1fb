import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStoredText, toStoredText } from '../../../src/stores/database-client.ts';
import { confusingTexts } from '../../stores/confusing-texts.ts';

describe('toStoredText', () => {
  const strings = fc.oneof(fc.constantFrom(...confusingTexts), fc.string({ unit: 'binary' }));

  it('gives a form that UTF-8 and Postgres hold, that is no JSON and that leads back', () => {
    fc.assert(
      fc.property(strings, (text) => {
        const stored = toStoredText(text);
        expect(Buffer.from(stored, 'utf8').toString('utf8')).toBe(stored);
        expect(stored).not.toContain('\0');
        expect(() => {
          JSON.parse(stored);
        }).toThrow(SyntaxError);
        expect(fromStoredText(stored)).toBe(text);
      }),
    );
  });
});

describe('fromStoredText', () => {
  it.each([
    ['text', 'text'],
    ['', ''],
    ['!', '!'],
    ['!{"a":1}', '!{"a":1}'],
    [123, '123'],
    [{ a: 1 }, '{"a":1}'],
  ])('gives what is of no such form as text: %o', (stored, text) => {
    expect(fromStoredText(stored)).toBe(text);
  });
});
