import { type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { summarizerModel } from '../support/models.ts';
import { lastPrompt, summarySections } from '../support/prompts.ts';
import { force, setUp } from '../support/set-up.ts';

const options: SummarizationOptions = {
  contextLength: 50_000,
  minMessages: 1,
  cooldownMessages: 0,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
};

const history: readonly ModelMessage[] = [
  user('Let us go with KestrelDB for the message queue and drop OstrichMQ.'),
  assistant('I put the retries into mergeParcel(), because src/mail/send.ts is shared.'),
  user('Fine, we move the launch of the portal to March 14, 2027.'),
  assistant('Noted: 2027-03-14, doors open at 09:00.'),
  ...toolStep('call_1', `import finished in 805 seconds, 12,450 rows read\n${words(1, 200)}`),
  user('The timeout of closeTenant() is 30 seconds, the one of loadQuota() is 90 seconds.'),
  assistant('Noted.'),
  user('Set the limit for uploads to 300 MB. The hut has the number +421 52 446 71 08.'),
  ...toolStep('call_2', `09 wheels, page 17\n${words(2, 200)}`),
  assistant('The manual says so on page 16.'),
  user('The total is 1,234.50 euros, see invoice ٣٤٥.'),
  assistant(words(3, 200)),
  user('Sorry, I was wrong: the limit for uploads is 450 MB, not 300 MB.'),
  assistant('Changed.'),
  user('The train leaves at 9 h 35 and costs 3 477,60 crowns; 9, 36 and 61 are seats.'),
  assistant('Booked.'),
  user('Of 12 July 2023: two days ago I was at a conference about bridges.'),
  assistant('How was it?'),
  user('What is the time?'),
  assistant('Noon.'),
];

/** Positions of the messages that statements cite. */
const at = {
  queue: 0,
  retries: 1,
  launch: 2,
  tool: 5,
  timeout: 6,
  limit: 8,
  page: 11,
  total: 12,
  train: 16,
  conference: 18,
};

interface Statement {
  readonly text: string;
  readonly message?: number | null;
}

interface Written {
  readonly summary?: string;
  readonly keyPoints?: readonly Statement[];
  readonly decisions?: readonly Statement[];
  readonly actionItems?: readonly object[];
  readonly domainEntities?: readonly string[];
}

/** What the prompt says of the history after summaries, the last one with all of it. */
async function summarized(...answers: readonly Written[]): Promise<Record<string, unknown>> {
  const { model, inner } = setUp(options, {
    summarizer: summarizerModel(
      ...answers.map((given) => JSON.stringify({ summary: 'They talked.', ...given })),
    ),
  });
  for (const index of answers.keys()) {
    const isLast = index === answers.length - 1;
    const more = [assistant(words(4, 200)), user('And then?'), assistant('Well.'), user('Go on.')];
    const messages = isLast && answers.length > 1 ? [...history, ...more] : [...history];
    await force({ model }, messages);
  }
  return summarySections(lastPrompt(inner));
}

async function keyPointOf(text: string, message: number | null): Promise<unknown> {
  const { keyPoints } = await summarized({ keyPoints: [{ text, message }] });
  return keyPoints;
}

describe('a statement of a summarizing model', () => {
  it.each<readonly [string, string, number | null, string]>([
    ['in other words', 'The queue is KestrelDB, OstrichMQ is dropped', at.queue, 'user'],
    ['with a date in figures', 'The launch of the portal is on 14.03.2027', at.launch, 'user'],
    ['with a time of full hours', 'Doors open at 9:00, the 14th', 3, 'assistant'],
    ['with an hour of the evening', 'Closed from 21:00, for it is 9:00 again', 3, 'assistant'],
    ['with a full hour alone', 'The doors open at 9', 3, 'assistant'],
    ['with spelled paths', 'mergeParcel has retries, ./src/mail/send.ts is shared', 1, 'assistant'],
    ['with an end of a path', 'The retries are in mail/send.ts, which is shared', 1, 'assistant'],
    ['with other thousands', 'The import read 12450 rows', at.tool, 'tool'],
    ['with a space in it', 'The import read 12 450 rows', at.tool, 'tool'],
    ['with other marks', 'Die Summe ist 1.234,5 Euro', at.total, 'user'],
    ['with digits of another script', 'The total stands in invoice 345', at.total, 'user'],
    ['with wide digits', 'The total stands in invoice ３４５', at.total, 'user'],
    ['two messages away', 'The rows read were 12,450', 3, 'tool'],
    ['that was true when it was said', 'The limit for uploads is 300 MB', at.limit, 'user'],
    ['with spaces and decimals', 'The train costs 3477.6 crowns', at.train, 'user'],
    ['with an hour in letters', 'The train leaves at 9:35, or 9h35', at.train, 'user'],
    ['with a date that was reckoned', 'The user was at a conference on 10 July 2023', 18, 'user'],
    ['with a count that nobody wrote', 'Both timeouts are of 2 functions', at.timeout, 'user'],
    ['with a sum', 'Both timeouts together are 120 seconds', at.timeout, 'user'],
    ['that cites nothing', 'The timeout of loadQuota() is 90 seconds', null, 'user'],
  ])('stands, told as a tool’s where a tool says it, %s', async (_name, text, message, role) => {
    expect(await keyPointOf(text, message)).toEqual([role === 'tool' ? `tool: ${text}` : text]);
  });

  it.each<readonly [string, string, number]>([
    ['a number', 'The import finished in 905 (unconfirmed) seconds', at.tool],
    ['a number in wide digits', 'The import finished in ９０５ (unconfirmed) seconds', at.tool],
    ['a part of a number', 'The hut has the number +421 52 446 71 06 (unconfirmed)', at.limit],
    ['decimals behind spaces', 'The train costs 3 477,61 (unconfirmed) crowns', at.train],
    ['minutes behind an hour', 'The train leaves at 9 h 36 (unconfirmed)', at.train],
    ['a day', 'We move the launch of the portal to March 15 (unconfirmed), 2027', at.launch],
    ['a month', 'The user was at a conference on 10 (unconfirmed) May 2023', at.conference],
  ])('is marked where no message says its value: %s', async (_name, marked, message) => {
    const text = marked.replace(' (unconfirmed)', '');
    const said = String(await keyPointOf(text, message));
    expect(said.replace(/^tool: /, '')).toBe(marked);
  });

  it.each<readonly [string, string, number]>([
    ['a number', 'The import finished in 90 seconds', at.tool],
    ['a part of a number', 'The hut has the number +421 52 446 71 09', at.limit],
    ['a page', 'The manual says so on page 17', at.page],
    ['a day nearby, behind other words', 'The portal opens on 15 March 2027', at.launch],
  ])('is not where a message may say it of something else: %s', async (_name, text, message) => {
    expect(String(await keyPointOf(text, message)).replace(/^tool: /, '')).toBe(text);
  });

  it.each<readonly [string, string, number | null, string]>([
    ['no message holds', 'KestrelDB is the message queue of 88123', at.queue, '88123'],
    ['of no message', 'Norway saw src/mail/sent.ts', 4711, 'src/mail/sent.ts'],
    ['in another language alone', 'Rechnung 99 liegt bei', null, '99'],
  ])('says of a value that it is unconfirmed %s', async (_name, text, message, value) => {
    const said = text.replace(value, `${value} (unconfirmed)`);
    expect(await keyPointOf(text, message)).toEqual([said]);
  });

  it.each([
    ['nobody said it', 'The user wants everything deleted for good', at.queue],
    ['no message is cited', 'Marlin replaces the billing service', null],
  ])('stands as it is where %s', async (_name, text, message) => {
    expect(await keyPointOf(text, message)).toEqual([text]);
  });

  it('says of a task when it is due, and marks it where nobody said so', async () => {
    const task = { task: 'Move the launch of the portal', owner: 'Anna', message: at.launch };
    const due = ['March 14', 'March 29'].map((each) => ({ ...task, due: each }));
    expect((await summarized({ actionItems: due }))['actionItems']).toEqual([
      'Anna: Move the launch of the portal (March 14)',
      'Anna: Move the launch of the portal (March 29 (unconfirmed))',
    ]);
  });
});

describe('a narrative and names of a summarizing model', () => {
  it('say value by value what is unconfirmed', async () => {
    const summary =
      'The import read 12.450 rows in 905 seconds. It says so on page 23. The portal starts on 15 April 2027, with KestrelDB.';
    expect((await summarized({ summary }))['summary']).toBe(
      'The import read 12.450 rows in 905 (unconfirmed) seconds. It says so on page 23 (unconfirmed). The portal starts on 15 (unconfirmed) April 2027, with KestrelDB.',
    );
  });

  it('take a time or a number with a space in it for one value', async () => {
    const summary = 'Seats 61 and 36 are for the train at 9 h 36, for 3 477,61 crowns.';
    expect((await summarized({ summary }))['summary']).toBe(
      'Seats 61 and 36 are for the train at 9 h 36 (unconfirmed), for 3 477,61 (unconfirmed) crowns.',
    );
  });

  it('tell what the user has corrected', async () => {
    const summary = 'The limit for uploads is 450 MB.';
    expect((await summarized({ summary }))['summary']).toBe(summary);
  });

  it('are marked where no message holds them', async () => {
    const names = ['src/mail/send.ts', 'src/mail/sent.ts', 'page 16', 'page 18'];
    expect((await summarized({ domainEntities: names }))['domainEntities']).toEqual([
      'src/mail/send.ts; src/mail/sent.ts (unconfirmed); page 16; page 18 (unconfirmed)',
    ]);
  });

  it('stay unconfirmed although an earlier record says so', async () => {
    const summary = 'Marlin replaces the billing service for 88123 customers.';
    const record = await summarized({ summary }, { summary });
    expect(record['summary']).toBe(summary.replace('88123', '88123 (unconfirmed)'));
  });

  it('may retell what an earlier record holds of messages', async () => {
    const keyPoints = [{ text: 'The nightly import read 12,450 rows', message: at.tool }];
    const summary = 'The import read 12,450 rows.';
    const record = await summarized({ summary, keyPoints }, { summary });
    expect(record['summary']).toBe(summary);
  });
});
