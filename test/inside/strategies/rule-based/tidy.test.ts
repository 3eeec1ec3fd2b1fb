import { expect, it } from 'vitest';
import { tidy } from '../../../../src/strategies/texts.ts';

it.each([
  ['| `retries` |', 'retries'],
  ['search_readme (', 'search_readme'],
  ['), then exit code 1;', 'then exit code 1'],
  ['.ci/run --fast', '.ci/run --fast'],
  ['"a": {\n  "b": 1 }', 'a : b : 1'],
  ['f(x)', 'f(x)'],
  ['| | |', ''],
  ['a\uD800', 'a\uFFFD'],
])('tidies %j to %j', (text, tidied) => {
  expect(tidy(text)).toBe(tidied);
});
