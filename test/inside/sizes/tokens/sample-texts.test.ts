import { describe, expect, it } from 'vitest';
import { sampleTexts, type TextSample } from '../../../../src/sizes/tokens/sample-texts.ts';
import { loadTextCounter } from '../../../../src/sizes/tokens/text-counter.ts';
import { utf8Length } from '../../../../src/foundations/util/strings.ts';

const counter = await loadTextCounter();

async function sampleOf(...texts: readonly string[]): Promise<TextSample> {
  return sampleTexts([texts], texts.join('').length, undefined);
}

/** Characters drawn by a fixed sequence. */
function drawn(letters: string, length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return letters[(state >> 8) % letters.length] ?? '';
  }).join('');
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

describe('a sample of texts', () => {
  it.each([
    ['English', 'The report has to be ready by Friday. First add the new figures to the table. '],
    [
      'German',
      'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind begabt. ',
    ],
    ['Finnish', 'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. '],
    ['Hungarian', 'Minden emberi lény szabadon születik és egyenlő méltósága és joga van. '],
    ['Polish', 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. '],
    ['Turkish', 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. '],
    ['Vietnamese', 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm. '],
    ['Russian', 'Все люди рождаются свободными и равными в своем достоинстве и правах. '],
    ['Hindi', 'रिपोर्ट शुक्रवार तक तैयार होनी चाहिए। पहले नए आँकड़े जोड़ें, फिर मुझे भेजें। '],
    ['Chinese', '报告必须在星期五之前准备好。人人生而自由,在尊严和权利上一律平等。'],
    ['Japanese', 'レポートは金曜日までに用意してください。まず新しい数字を表に入れてください。'],
    ['Korean', '보고서는 금요일까지 준비되어야 합니다. 먼저 새 수치를 표에 넣으세요. '],
    ['code', 'return items.reduce((sum, each) => sum + each, 0);\n\n}\n\n    if (!isDone) {\n'],
    ['JSON', '{"id":48213,"tags":["a","b"],"at":"2026-11-26T15:12:31Z"},\n'],
    ['base64', drawn(base64, 4000)],
    ['hexadecimal digits', drawn('0123456789abcdef', 4000)],
    ['letters by chance', drawn('abcdefghijklmnopqrstuvwxyz', 4000)],
    ['symbols by chance', drawn('!@#$%^&*()_+-=[]{}|;:,.<>?/~`', 4000)],
    ['control characters', drawn('\u0001\u0002\u0003\u0004', 4000)],
    ['white space by chance', drawn(' \t\n', 4000)],
    [
      'braille',
      drawn(
        Array.from({ length: 256 }, (_, at) => String.fromCharCode(0x2800 + at)).join(''),
        4000,
      ),
    ],
  ])('of %s says what it takes at the most', async (_, text) => {
    const whole = text.repeat(Math.ceil(40_000 / text.length));
    const count = counter.count(whole);
    const { least, most } = await sampleOf(whole);
    expect(Math.min(most, utf8Length(whole))).toBeGreaterThanOrEqual(count);
    expect(least).toBeLessThan(count);
  });

  it('is close to the count, and takes its share of every part', async () => {
    const prose = 'The report has to be ready by Friday. First add the new figures to the table. ';
    const code = 'return items.reduce((sum, each) => sum + each, 0);\n\n}\n\n    if (!isDone) {\n';
    const texts = Array.from({ length: 200 }, (_, index) =>
      (index % 3 === 0 ? prose : code).repeat(1 + (index % 40)),
    );
    const count = texts.reduce((sum, text) => sum + counter.count(text), 0);
    const { tokens, likely } = await sampleOf(...texts);
    expect(Math.abs(tokens / count - 1)).toBeLessThan(0.08);
    expect(likely).toBeGreaterThan(count);
  });

  it('is not led by what stands at regular places', async () => {
    // Dense lines at every 2,048 characters: pieces at fixed places would meet all of them, or none.
    const [dense, thin] = [drawn(base64, 51_200), drawn('a ', 358_400)];
    const text = Array.from(
      { length: 200 },
      (_, at) => dense.slice(at * 256, at * 256 + 256) + thin.slice(at * 1792, at * 1792 + 1792),
    ).join('');
    const count = counter.count(text);
    for (const head of ['', '1', 'a longer one']) {
      const { tokens, most } = await sampleOf(head, text);
      expect(most).toBeGreaterThan(count);
      expect(Math.abs(tokens / count - 1)).toBeLessThan(0.3);
    }
  });
});
