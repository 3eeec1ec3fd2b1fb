import { wrapLanguageModel } from 'ai-5';
import { MockLanguageModelV2 } from 'ai-5/test';
import { expect, it } from 'vitest';
import { summarizationMiddleware } from '../../src/index.ts';

it('a model of AI SDK 5 is refused when it is wrapped, in words', () => {
  const middleware = Object.assign(summarizationMiddleware(), { middlewareVersion: 'v2' as const });
  const wrap = (): unknown => Reflect.apply(wrapLanguageModel, undefined, [{ model, middleware }]);
  const model = new MockLanguageModelV2();
  expect(wrap).toThrow(
    'Invalid option model: got "v2", allowed is a model of AI SDK 6 or 7; this one is of 5.',
  );
});
