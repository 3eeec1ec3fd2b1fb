import { describe, expect, it } from 'vitest';
import { agrees } from '../../../../src/strategies/grounding/agrees.ts';

describe('agrees', () => {
  it.each([
    ['The contract is renewed', 'We renew the contract.', true],
    ['The contract will not be renewed', 'No renewal of the contract.', true],
    ['The contract is renewed', 'We will not renew the contract.', false],
    ["They don't deploy", 'They never deploy', true],
    ['They deploy on Friday', "They don't deploy on Friday", false],
    ['touch the table', 'Never touch the table.', false],
    ['trink Milch', 'Trink keine Milch', false],
    ['Die Frist gilt nicht', 'Die Frist gilt keinesfalls mehr, nein, nicht', true],
    ['меняй файл, не спросив', 'Никогда не меняй файл, не спросив', false],
    ['修改文件', '不要修改文件', false],
    ['no toques la tabla', 'Nunca toques la tabla', true],
  ])('of "%s" and "%s": %s', (statement, sentence, expected) => {
    expect(agrees(statement, sentence)).toBe(expected);
  });
});
