import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  type Message,
  type SummaryContent,
  type SummaryRecord,
  ruleBasedStrategy,
} from '../../../../src/index.ts';
import {
  readIdentifierList,
  writeIdentifierList,
  type ListedIdentifier,
} from '../../../../src/strategies/rule-based/identifier-list.ts';
import { identifiersToList } from '../../../../src/strategies/rule-based/identifiers-to-list.ts';
import { indexTerms } from '../../../../src/strategies/rule-based/terms/term-index.ts';
import { termWeigher } from '../../../../src/strategies/rule-based/terms/term.ts';
import { timeSlices } from '../../../../src/util/async/time-slices.ts';
import { assistant, record, toolCall, toolResult, user } from '../../../strategies/llm/fixtures.ts';

const model = new MockLanguageModelV4({ provider: 'openai', modelId: 'gpt-5-mini' });

async function summarize(
  messages: readonly Message[],
  { previous, maxSummaryTokens = 300 }: { previous?: SummaryRecord; maxSummaryTokens?: number },
): Promise<SummaryContent> {
  const input = { messages, previous, usePreviousNarrative: true, model, maxSummaryTokens };
  return (await ruleBasedStrategy().summarize(input)).content;
}

const flights = Array.from({ length: 20 }, (_, index) => ({
  flight_number: `HAT${100 + index}`,
  gate_of_departure: `G${20 + index}`,
}));
const booking: readonly Message[] = [
  user('Please book the first flight to Seattle that has a seat by the window.'),
  toolCall('get_user', { user_id: 'mia_li_3668' }),
  toolResult('get_user', JSON.stringify({ user_id: 'mia_li_3668', payment_id: 'card_7815826' })),
  toolCall('find_flights', { destination: 'SEA', date: '2024-05-20' }),
  toolResult('find_flights', JSON.stringify(flights)),
  assistant('There are several of them.'),
];

describe('identifier list', () => {
  const identifiers: readonly ListedIdentifier[] = [
    { group: 'user_id', text: 'mia_li_3668' },
    { group: 'flight', text: 'HAT100' },
    { group: '', text: 'src/auth/session.ts' },
    { group: 'flight', text: 'HAT101' },
    { group: '', text: 'https://example.com/a,b?c=d;e' },
  ];

  it('stands on a line, group by group', () => {
    expect(writeIdentifierList(identifiers)).toEqual([
      'user_id: mia_li_3668; flight: HAT100 HAT101; src/auth/session.ts https://example.com/a,b?c=d;e',
    ]);
  });

  it('is read back as it was written', () => {
    const lines = writeIdentifierList([
      ...identifiers,
      ...Array.from({ length: 60 }, (_, index) => ({ group: 'order', text: `W${1000 + index}` })),
    ]);
    const read = lines.flatMap((line) => readIdentifierList(line) ?? []);
    expect(lines.length).toBeGreaterThan(1);
    expect(read).toHaveLength(identifiers.length + 60);
    expect(read).toEqual(expect.arrayContaining([...identifiers]));
  });

  it.each([
    'printenv.pl',
    'Amira Haddad: contact, Ghent',
    'The launch is on 2024-05-20',
    'user_id: mia_li_3668 (customer)',
    '',
  ])('is not what somebody else wrote: %s', (text) => {
    expect(readIdentifierList(text)).toBeUndefined();
  });
});

describe('identifiers of a summary', () => {
  it('stand whole under the names of their fields, which are not listed themselves', async () => {
    const { domainEntities } = (await summarize(booking, { maxSummaryTokens: 160 })).context;
    const listed = domainEntities.flatMap((line) => readIdentifierList(line) ?? []);
    const flightNumbers = listed.filter(({ group }) => group === 'flight_number');
    expect(flightNumbers.length).toBeGreaterThan(3);
    for (const { text } of flightNumbers) expect(text).toMatch(/^HAT1\d\d$/);
    expect(listed.map(({ text }) => text)).not.toContain('flight_number');
    expect(listed.map(({ text }) => text)).not.toContain('gate_of_departure');
  });

  it('are those that no line of the minutes tells of', async () => {
    for (const maxSummaryTokens of [120, 200, 300, 500]) {
      // oxlint-disable-next-line no-await-in-loop -- a table of budgets
      const { summary, context } = await summarize(booking, { maxSummaryTokens });
      const listed = context.domainEntities.flatMap((line) => readIdentifierList(line) ?? []);
      const told = new Set(summary.match(/[\w-]+/g));
      expect(listed.filter(({ text }) => told.has(text))).toEqual([]);
    }
  });

  it('are no numbers of lines that nobody used', async () => {
    const listing = Array.from({ length: 30 }, (_, line) => `${500 + line}  return openSession()`);
    const messages = [
      toolCall('bash', { command: 'cat -n session.ts' }),
      toolResult('bash', listing.join('\n')),
    ];
    const { context } = await summarize(messages, { maxSummaryTokens: 1000 });
    expect(context.domainEntities.join('\n')).not.toMatch(/\b5\d\d\b/);
  });

  it('are no numbers of lines that a user pasted', async () => {
    const listing = Array.from({ length: 30 }, (_, line) => `${1500 + line}:  openSession()`);
    const messages = [
      user(`Please look at this part of session.ts.\n${listing.join('\n')}`),
      toolCall('bash', { command: 'ls' }),
      toolResult('bash', 'session.ts'),
    ];
    const { context } = await summarize(messages, { maxSummaryTokens: 200 });
    expect(context.domainEntities.join('\n')).not.toMatch(/\b15\d\d\b/);
  });

  it('are ids that entries are kept under, unlike names of fields', async () => {
    const cards = Object.fromEntries(
      Array.from({ length: 20 }, (_, card) => [`card_${7_815_800 + card}`, { brand: 'visa' }]),
    );
    const messages = [
      toolCall('get_cards', { user_id: 'mia_li_3668' }),
      toolResult('get_cards', JSON.stringify({ address2: 'Suite 9', payment_methods: cards })),
    ];
    const { domainEntities } = (await summarize(messages, { maxSummaryTokens: 160 })).context;
    expect(domainEntities.join('\n')).toMatch(/card_78158\d\d card_78158\d\d/);
    expect(domainEntities.join('\n')).not.toContain('address2');
  });

  it('are paths, ranked with the names of their files and in place of their folders', async () => {
    const path = 'packages/billing/render_invoice.ts';
    const slices = timeSlices();
    const printed = `${`${path}\n`.repeat(3)}packages/billing\nprint_total print_total`;
    const texts = [
      { index: 0, role: 'result', line: 0, head: '', isCall: true, text: printed } as const,
    ];
    const ranked = await identifiersToList(texts, await indexTerms(texts, slices), {
      weigh: termWeigher(true),
      said: new Set(),
      isAgent: true,
      slices,
    });
    expect(ranked.map(({ text }) => text)).toEqual([path, 'print_total']);
  });

  it.each<[string, (index: number) => string]>([
    ['paths', (index) => `packages/part_${index}/page_${index}.ts`],
    ['files', (index) => `BOOK_OF_${String.fromCodePoint(65 + index).repeat(3)}.md`],
  ])('are whole %s, and not the parts of those as well', async (_, nameOf) => {
    const whole = Array.from({ length: 26 }, (__, index) => nameOf(index));
    const messages = [
      toolCall('run_tool', { for: 'pages' }),
      toolResult('run_tool', whole.join('\n')),
    ];
    const { domainEntities } = (await summarize(messages, { maxSummaryTokens: 120 })).context;
    const names = domainEntities
      .flatMap((line) => readIdentifierList(line) ?? [])
      .map(({ text }) => text);
    const listed = names.filter((text) => whole.includes(text));
    expect(listed.length).toBeGreaterThan(1);
    const isPart = (text: string): boolean =>
      listed.some((name) => name !== text && name.includes(text));
    expect(names.filter(isPart)).toEqual([]);
  });

  it('outlast three more summaries beside the files that were changed', async () => {
    const edit = [
      toolCall('edit_file', { path: 'src/booking.ts', old_str: 'a', new_str: 'b' }),
      toolResult('edit_file', 'ok'),
    ];
    let previous: SummaryRecord | undefined;
    for (const generation of [0, 1, 2, 3]) {
      const messages =
        generation === 0
          ? [...booking, ...edit]
          : [
              user(`Now look at part ${generation} of the manual.`),
              toolCall('search_manual', { text: `chapter_${generation}b` }),
              toolResult('search_manual', `See option_${generation}x and page_${generation}y.`),
            ];
      // oxlint-disable-next-line no-await-in-loop -- each summary continues the one before.
      const content = await summarize(messages, {
        maxSummaryTokens: 340,
        ...(previous && { previous }),
      });
      previous = { ...record(content), strategy: 'rule-based' };
    }
    const said = `${previous?.summary}\n${previous?.context.domainEntities.join('\n')}`;
    expect(said).toContain('mia_li_3668');
    expect(said).toContain('card_7815826');
    expect(previous?.changedFiles).toEqual(['src/booking.ts']);
    expect(said.match(/HAT1\d\d/g)?.length).toBeGreaterThan(8);
  });
});
