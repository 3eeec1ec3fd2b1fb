import { expect, it } from 'vitest';
import {
  findIdentifiers,
  rankIdentifiers,
  readIdentifiers,
  writeIdentifiers,
} from '../../../../src/summaries/rule-based/identifiers.ts';

it.each([
  '/etc/main.d/a_b.yaml, ./lib2! → path /etc/main.d/a_b.yaml, file a_b.yaml, path ./lib2',
  '... and/or </body> → code and/or',
  'x//y, x/.b, src/b.c → path x//y, path x/.b, path src/b.c, file b.c',
  '(https://x.io/a?b=1&c=2.) ~-a/b1 → url https://x.io/a?b=1&c=2, path a/b1',
  'Mail ada@ex-1.org, @ada, -ada, a@b@c.org. → email ada@ex-1.org, file a@b@c.org',
  '2026-01-02T10:30, 9/2026, 9/10, 2026-1-2, log-2026-01-02 → date 2026-01-02T10, date 9/2026, number 9/10, number 2026-1-2, id log-2026-01-02',
  '12 of 345, 1-2, 1_2, 3.4, -5.67, 1_000 → number 345, number 1-2, number 3.4, number 5.67, number 1_000',
  '$450, total: 1628, ref:7788, $ 771, 99 → amount 450, amount 1628, number 7788, number 771',
  'tar.gz v1.200.x a.b a.json end.Every an_end.Every → file tar.gz, file v1.200.x, number 200, file a.json, code an_end.Every, code an_end',
  'value.total_seconds fooBar URL → code value.total_seconds, code total_seconds, code fooBar',
  'x9y8 x9z AB-12 well-known user-name_x → id x9y8, id AB-12, code name_x',
  '.env ..foo_bar ___ Äpfel straße_1 Größe_x → code foo_bar, id straße_1, code Größe_x',
  `${'y'.repeat(257)}_ a_${'y'.repeat(254)} → code a_${'y'.repeat(254)}`,
])('what a text may be referred to by: %s', (row) => {
  const [text = '', expected] = row.split(' → ');
  const found: string[] = [];
  findIdentifiers(text, (kind, start, end) => found.push(`${kind} ${text.slice(start, end)}`));
  expect(found.join(', ')).toBe(expected);
});

it.each<[string, string, string, string?]>([
  ['of the same the newer', 'text AB-1111 | text CD-2222', 'CD-2222 AB-1111'],
  ['calls, then people', 'call AB-11 | text CD-22 | result EF-33', 'AB-11 CD-22 EF-33'],
  ['people, then listings', `result ${'AB-11 '.repeat(100)} | text CD-22`, 'CD-22 AB-11'],
  ['of what is printed the more frequent', 'result AB-11 AB-11 | result CD-22', 'AB-11 CD-22'],
  ['the short', 'call aa_name_of_many_tokens_9000 AB-12', 'AB-12 aa_name_of_many_tokens_9000'],
  ['its kinds', 'text s/m/a.ts a_b@e.org fooBar no: AB-1', 'AB-1 fooBar s/m/a.ts a_b@e.org'],
  ['no numbers of a chat', 'text The 450 of 9/10, total: 1628 and $770.', ''],
  [
    'numbers that an agent was told',
    'text 450, 460: a, $770 | call a | result 881, $882',
    '450 770 882',
  ],
  [
    'no part of it',
    'call src/main/a.ts test_of_the_user_list.py | result src/main',
    'src/main/a.ts test_of_the_user_list.py',
  ],
  ['what calls name it', 'result by: u_1 | call user: u_1 | call to: u_1', 'user: u_1'],
  [
    'what a result names it',
    'text K177 | result {"no": "K177"}, to: K177, a_b: K133',
    'no: K177; a_b: K133; fields: a_b',
  ],
  [
    'only what says something',
    'text 2026-01-02T10:30 /tmp //x/y x1/main b_c: 1, ab12: 1, ab1234: 1, d_e, d_e: 1',
    'd_e ab1234 x1/main; fields: b_c',
  ],
  [
    'what it has listed',
    'text EF-55',
    'user_id: A-1 C-2; EF-55 G-4; fields: s_id',
    'fields: s_id; user_id: A-1 C-2; G-4',
  ],
  ['what is new beside words of a model', 'text EF-55', 'EF-55', 'AB-12 words: CD-34'],
  ['what is new beside a line that goes on', 'text EF-55', 'EF-55', 'ab: CD-34\nand more'],
])('a list of identifiers begins with %s', async (_, said, expected, earlier = '') => {
  const texts = said.split(' | ').map((part) => {
    const [, kind, text = ''] = /^(?:(call|result)|text) (.*)$/.exec(part) ?? [];
    return { kind: kind === 'call' || kind === 'result' ? kind : 'text', text } as const;
  });
  const ranked = await rankIdentifiers(texts, readIdentifiers(earlier) ?? []);
  expect(writeIdentifiers(ranked).join('\n')).toBe(expected);
});

it.each([
  [96, 97, [202]],
  [97, 97, [101, 100]],
])('a line of identifiers has 200 characters: %i and %i', (first, second, lengths) => {
  const both = { ab: 'a'.repeat(first), c: 'b'.repeat(second) };
  const listed = Object.entries(both).map(([group, text]) => ({ text, group }));
  expect(writeIdentifiers(listed).map((line) => line.length)).toEqual(lengths);
});
