import { expect, it } from 'vitest';
import { compact, explainSummarization } from '../../../src/index.ts';
import { assistant, user, words } from '../../support/messages.ts';
import { setUp } from '../../support/set-up.ts';

it('functions take the options of a wrapped model', async () => {
  const redact = (text: string): string => text.replaceAll('hunter2', '[secret]');
  const { model, summarizer } = setUp({ contextLength: 5000, redact });
  const messages = Array.from({ length: 23 }, (_, index) =>
    (index % 2 === 0 ? user : assistant)(`Now ${index} is hunter2. ${words(index, 40)}`),
  );
  const { contextLength } = await explainSummarization({ messages, model });
  expect(contextLength).toBe(5000);
  const { record } = await compact({ messages, model, force: true });
  expect(record?.summary).toBe('They spoke of rivers.');
  expect(JSON.stringify([record, summarizer.doGenerateCalls])).not.toContain('hunter2');
});
