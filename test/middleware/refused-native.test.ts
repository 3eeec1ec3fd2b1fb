import { generateText, wrapLanguageModel } from 'ai';
import { expect, it } from 'vitest';
import { summarizationMiddleware } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { sharedStore } from '../support/shared-store.ts';
import { until } from '../support/until.ts';
import { apiError, refusingModel } from '../retry/refusing-model.ts';

it("a refusal of the provider's own compaction keeps no aborted call waiting for a store", async () => {
  const inner = refusingModel({ throws: apiError("Unknown parameter: 'context_management'.") });
  const controller = new AbortController();
  let isAsked = false;
  const isRefused = (): boolean => inner.doGenerateCalls.length > 0;
  const store = sharedStore().open(({ get }) => ({
    get: async (key) => {
      if (!isRefused()) return get(key);
      isAsked = true;
      return new Promise(() => {});
    },
  }));
  const model = wrapLanguageModel({
    model: inner,
    middleware: summarizationMiddleware({
      native: 'prefer',
      contextLength: 24_500,
      providers: { openai: { tokenMultiplier: 10 } },
      strategy: 'rule-based',
      store,
      secret: 'a secret for the tests',
      // Longer than any timer: it never rings.
      storeTimeoutMs: 3_000_000_000,
    }),
  });
  const call = { model, messages: chat(45), abortSignal: controller.signal, maxRetries: 0 };
  const ended = generateText(call).catch((error: unknown) => error);
  await until(() => isAsked);
  const reason = new Error('Enough.');
  controller.abort(reason);
  expect(await ended).toBe(reason);
});
