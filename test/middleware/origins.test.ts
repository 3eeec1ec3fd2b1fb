import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { SummaryRecord, SummaryStrategy } from '../../src/index.ts';
import { assistant, chat, user, words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt, summaryJson, textOf } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';

function recordOf({ events }: Pick<SetUp, 'events'>): SummaryRecord {
  const [record] = events.flatMap((event) => (event.type === 'end' ? [event.record] : []));
  if (record === undefined) throw new Error('No summary was made.');
  return record;
}

const context = {
  participants: ['user'],
  decisions: [],
  actionItems: [],
  unresolved: [],
  domainEntities: [],
  constraints: [],
};

describe('the origin of an item', () => {
  it('is the message that a model cites and was shown under that number', async () => {
    const messages = chat(19)
      .with(2, user(`My sister Zoe lives in Turin. ${words(2, 30)}`))
      .with(3, assistant(`I ordered blue tiles for the kitchen. ${words(3, 30)}`));
    const keyPoints = [
      { text: 'Zoe lives in Turin.', message: 2 },
      { text: 'Blue tiles were ordered.', message: 3 },
      { text: 'Nobody flew anywhere.', message: 400 },
    ];
    const summarizer = summarizerModel(answer({ keyPoints }));
    const run = setUp({}, { summarizer });
    await generateText({ model: run.model, messages });
    const read = textOf(summarizer.doGenerateCalls[0]?.prompt[1]);
    expect(read).toContain('{"i":2,"role":"user","text":"My sister Zoe ');
    const { origins } = recordOf(run);
    expect(origins.keyPoints[0]).toEqual({ role: 'user', message: 2 });
    expect(origins.keyPoints[1]).toEqual({ role: 'assistant', message: 3 });
    expect(origins.keyPoints[2]).toEqual({ role: 'model' });
    expect(summaryJson(lastPrompt(run.inner))['keyPoints']).toEqual([
      'user: Zoe lives in Turin.',
      'assistant: Blue tiles were ordered.',
      'summariser: Nobody flew anywhere.',
    ]);
  });

  it.each([
    ['a role that the message does not have', { role: 'user', message: 3 }, { role: 'model' }],
    ['a message that was not summarised', { role: 'user', message: 18 }, { role: 'model' }],
    ['no message', { role: 'user' }, { role: 'model' }],
    ['a message as the model’s', { role: 'model', message: 2 }, { role: 'model' }],
    ['what is true', { role: 'user', message: 2 }, { role: 'user', message: 2 }],
  ] as const)('is checked where a strategy of the caller names %s', async (_, claimed, origin) => {
    const strategy: SummaryStrategy = {
      name: 'own',
      summarize: async () => ({
        content: {
          summary: 'Short.',
          keyPoints: ['k'],
          context,
          origins: { keyPoints: [claimed] },
        },
        usage: { inputTokens: 0, outputTokens: 0 },
      }),
    };
    const run = setUp({ strategy });
    await generateText({ model: run.model, messages: chat(19) });
    const record = recordOf(run);
    expect(record.version).toBe(2);
    expect(record.origins).toMatchObject({
      keyPoints: [origin],
      participants: [{ role: 'model' }],
    });
  });
});
