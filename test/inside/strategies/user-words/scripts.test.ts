import { describe, expect, it } from 'vitest';
import { scriptsOf, scriptsWritten } from '../../../../src/strategies/user-words/scripts.ts';

describe('scriptsOf', () => {
  it.each([
    ['The user asked to repair the login of the shop.', ['Latin']],
    ['Пользователь попросил починить вход в магазин.', ['Cyrillic']],
    ['用户要求修复商店的登录错误。', ['Chinese']],
    ['ユーザーは店のログインの修正を頼んだ。', ['Japanese']],
    ['사용자는 상점의 로그인을 고쳐 달라고 했다.', ['Korean']],
    ['طلب المستخدم إصلاح تسجيل الدخول إلى المتجر.', ['Arabic']],
    ['उपयोगकर्ता ने दुकान का लॉगिन ठीक करने को कहा।', ['Devanagari']],
    ['Ο χρήστης ζήτησε να διορθωθεί η σύνδεση.', ['Greek']],
    ['המשתמש ביקש לתקן את הכניסה לחנות.', ['Hebrew']],
    ['ผู้ใช้ขอให้แก้ไขการเข้าสู่ระบบของร้าน', ['Thai']],
  ])('tells what %s is written in', (text, scripts) => {
    expect(scriptsOf(text)).toEqual(scripts);
  });

  it.each([
    [
      '修复 src/auth/session.ts、src/auth/refresh_token.ts 与 src/http/client.ts 中的登录错误。',
      ['Chinese'],
    ],
    ['Почини, пожалуйста, openSession в src/auth/session.ts и refresh_token.', ['Cyrillic']],
    ['OK.', []],
    ['12 + 30 = 42', []],
  ])('reads no code and no figures as words: %s', (text, scripts) => {
    expect(scriptsOf(text)).toEqual(scripts);
  });
});

describe('scriptsWritten', () => {
  const english = 'The deployment of the shop failed because the gateway timed out. '.repeat(20);

  it('finds the words that a user puts in front of a document', () => {
    expect([...scriptsWritten([`Переведи это письмо: ${english}`])]).toContain('Cyrillic');
  });

  it('knows all scripts of a user who writes in two', () => {
    const written = scriptsWritten(['Почини вход в магазин.', 'Repair the login of the shop.']);
    expect([...written].toSorted()).toEqual(['Cyrillic', 'Latin']);
  });

  it('takes a quotation for no script of the user', () => {
    const messages = Array.from({ length: 9 }, (_, index) => `Repair the login page ${index}.`);
    expect([...scriptsWritten([...messages, 'Почини вход в магазин.'])]).toEqual(['Latin']);
  });

  it('takes time in proportion to what it reads', () => {
    const text = 'a'.repeat(1_000_000);
    expect([...scriptsWritten(Array.from({ length: 200 }, () => text))]).toEqual(['Latin']);
    expect(scriptsOf(text)).toEqual(['Latin']);
  });
});
