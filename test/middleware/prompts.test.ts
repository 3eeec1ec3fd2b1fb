import { describe, expect, it } from 'vitest';
import { answer, summarizerModel } from '../support/models.ts';
import { textOf } from '../support/prompts.ts';
import { called, force } from '../support/set-up.ts';

const messages = (count: number) =>
  Array.from({ length: count }, (_, turn) => ({
    role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Message ${turn}. ${'All about rivers. '.repeat(turn === 1 ? 60 : 20)}`,
  }));

describe('the options prompts and messageFilter', () => {
  it('reach the summarizer', async () => {
    const summarizer = summarizerModel((call) =>
      call.responseFormat?.type === 'json' ? answer({ summary: 'Rivers.' }) : 'Short.',
    );
    const summary = { system: 'SYSTEM', first: 'MINE {nonsense} {content}, {max_chars}' };
    const update = 'UPDATE {prior_summary} {content}';
    const made = await called(
      messages(14),
      {
        prompts: { summary: { ...summary, update }, agentMessages: 'AGENT {content} {max_chars}' },
        messageFilter: { agentMessages: 'summary', userMessages: 'omit' },
      },
      { summarizer },
    );
    await force(made, messages(34));
    const texts = summarizer.doGenerateCalls.map(({ prompt }) => prompt.map(textOf));
    expect(texts[0]).toEqual([expect.stringMatching(/^AGENT "Message 1\. .+" 500$/)]);
    const omittedAndShort = /^MINE \{nonsense\} \[\{"i":0,.*omitted.*Short\..*\], \d+$/;
    expect(texts[1]).toEqual(['SYSTEM', expect.stringMatching(omittedAndShort)]);
    const later = /^UPDATE \{.*Rivers\..*\} \[\{"i":\d.*\]$/;
    expect(texts.at(-1)).toEqual(['SYSTEM', expect.stringMatching(later)]);
  });

  it('count condensed messages among the calls that an hour allows', async () => {
    const summarizer = summarizerModel((call) =>
      call.responseFormat?.type === 'json' ? answer({ summary: 'Rivers.' }) : 'Short.',
    );
    const options = {
      messageFilter: { agentMessages: 'summary', userMessages: 'summary' },
      prompts: { maxSummaryChars: 100 },
      maxSummaryCallsPerHour: 4,
      // Calls of an hour are counted for all of a process.
      namespace: 'condensed',
    } as const;
    await called(messages(24), options, { summarizer });
    expect(summarizer.doGenerateCalls).toHaveLength(4);
  });
});
