import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../src/prompt/cleaning/visible-text.ts';

/** What must not be left between letters of a script without joiners. */
const unseen =
  /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/u;

const unseenPoints = Array.from({ length: 0x11_00_00 }, (_, point) => point).filter((point) =>
  unseen.test(String.fromCodePoint(point)),
);

describe('visibleText', () => {
  it('leaves nothing invisible between letters, of all code points', () => {
    const text = unseenPoints.map((point) => `a${String.fromCodePoint(point)}b`).join('');
    expect(unseenPoints.length).toBeGreaterThan(4000);
    expect(visibleText(text).match(unseen)).toBeNull();
  });

  it.each([
    ['Persian with non-joiners', 'می‌خواهم کتاب‌ها را'],
    ['Hindi with a joiner behind a virama', 'क्‍ष'],
    ['Sinhala', 'ක්‍ෂ ශ්‍රී'],
    ['emoji with joiners, selectors and skin tones', '👩‍👩‍👧 🏳️‍🌈 ❤️ 👩🏽‍💻 🤷‍♀️'],
    ['Hebrew, Arabic, Thai, Korean, Chinese', 'שלום مرحبا สวัสดี 안녕 漢字'],
  ])('leaves %s as it is', (_, text) => {
    expect(visibleText(text)).toBe(text);
  });

  it.each([
    ['joiners between Latin letters', 'a\u200cb\u200dc', 'abc'],
    ['joiners in a row', 'م\u200c\u200cخ', 'مخ'],
    ['a non-joiner at the end of a word', 'کتاب\u200c ', 'کتاب '],
    ['selectors behind letters and digits', 'a\ufe0f 12\ufe0f', 'a 12'],
    ['selectors that carry bytes', '😀\u{e0100}\u{e01ef}\ufe01', '😀'],
    ['tags', 'hi\u{e0049}\u{e0067}\u{e006e}', 'hi'],
    ['line ends', 'a\r\nb\rc\u0085d\u000be', 'a\nb\nc\nd\ne'],
    ['lone surrogates', 'a\ud83db', 'a\ufffdb'],
  ])('takes %s out', (_, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });
});
