import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { summarizationMiddleware, type SummarizationOptions } from '../../src/index.ts';
import { loadSettings } from '../../src/node/index.ts';
import { chat } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { textOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const messages = Array.from({ length: 14 }, (_, turn) => ({
  role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Message ${turn}. ${'All about rivers. '.repeat(turn === 1 ? 60 : 20)}`,
}));

describe('the options prompts and messageFilter', () => {
  it('reach the summariser', async () => {
    const summarizer = summarizerModel((call) =>
      call.responseFormat?.type === 'json' ? answer({ summary: 'Rivers.' }) : 'Short.',
    );
    const { model } = setUp(
      {
        prompts: { summary: 'MINE {nonsense} {content}', agentMessages: 'AGENT {content}' },
        messageFilter: { agentMessages: 'summary', userMessages: 'omit' },
      },
      { summarizer },
    );
    await generateText({ model, messages });
    await generateText({ model, messages });
    const texts = summarizer.doGenerateCalls.map(({ prompt }) => textOf(prompt.at(-1)));
    expect(texts[0]).toMatch(/^AGENT "Message 1/);
    expect(texts.at(-1)).toMatch(/^MINE \{nonsense\} \[.*omitted.*Short\./);
  });

  it('take what settings hold', () => {
    const settings = loadSettings('no-such-file.json', { onWarning: () => {} });
    expect(summarizationMiddleware(settings)).toHaveProperty('transformParams');
  });
});

/** The versions that records and their events name, summary by summary. */
async function versionsOf(options: SummarizationOptions, counts = [19]) {
  const { model, events, summarizer } = setUp({ cooldownMessages: 0, ...options });
  for (const count of counts) await generateText({ model, messages: chat(count) });
  const ends = events.flatMap((event) => (event.type === 'end' ? [event] : []));
  for (const { promptVersion, record } of ends) expect(record.promptVersion).toBe(promptVersion);
  const asked = JSON.stringify(summarizer.doGenerateCalls.map(({ prompt }) => prompt));
  return { versions: ends.map(({ promptVersion }) => promptVersion), asked };
}

it('the record names the versions of the templates that asked for it', async () => {
  const { versions, asked } = await versionsOf({}, [19, 35]);
  expect(versions).toEqual(['first@1 system@2', 'update@2 system@2']);
  expect(asked).not.toContain('version:');
});

it('templates of the caller name theirs, or none', async () => {
  const head = '---\nversion: 2.1\n---\n';
  const { versions, asked } = await versionsOf(
    {
      prompts: {
        summary: { first: `${head}Mine: {content}`, update: 'Mine: {content} {prior_summary}' },
        toolResults: `${head}{content}`,
        userMessages: `${head}{content}`,
      },
      messageFilter: { userMessages: 'summary' },
    },
    [19, 35],
  );
  expect(versions).toEqual(['first@2.1 system@2 userMessages@2.1', 'system@2 userMessages@2.1']);
  expect(asked).toContain('Mine: ');
  expect(asked).not.toContain('2.1');
});

it('one text for all keeps its version when it continues a record', async () => {
  const summary = '---\nversion: 3\n---\nMine: {content}';
  const { versions } = await versionsOf({ prompts: { summary } }, [19, 35]);
  expect(versions).toEqual(['first@3 system@2', 'update@3 system@2']);
});

it('what no prompt asked for has none', async () => {
  const { versions } = await versionsOf({ strategy: 'rule-based' });
  expect(versions).toEqual([undefined]);
});

it('a template whose front matter alone holds its variable is refused', () => {
  const summary = '---\nversion: 3\ndescription: {content}\n---\nNothing.';
  expect(() => setUp({ prompts: { summary } })).toThrow(/prompts\.summary.*\{content\}/s);
});
