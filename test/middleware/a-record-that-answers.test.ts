import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { summarizerModel } from '../support/models.ts';
import { lastPrompt, summarySections } from '../support/prompts.ts';
import { eventsOf, force, type SetUp, setUp } from '../support/set-up.ts';

const options: SummarizationOptions = {
  contextLength: 200_000,
  minMessages: 1,
  cooldownMessages: 0,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
};

const filler: readonly ModelMessage[] = [assistant(words(3, 400)), user('And now?')];
const lastOnes: readonly ModelMessage[] = [assistant('One moment.'), user('Go on.')];

/** Summarizes as often as there are answers, each time with more messages; the last prompt shows the record. */
async function summarized(
  turns: readonly (readonly ModelMessage[])[],
  answers: readonly object[],
  own: SummarizationOptions = {},
): Promise<SetUp & { readonly sections: Record<string, unknown> }> {
  const made = setUp(
    { ...options, ...own },
    {
      summarizer: summarizerModel(
        ...answers.map((given) => JSON.stringify({ summary: 'They talked.', ...given })),
      ),
    },
  );
  const messages: ModelMessage[] = [];
  for (const turn of turns) {
    messages.push(...turn, ...filler, ...lastOnes);
    await force(made, messages);
  }
  return { ...made, sections: summarySections(lastPrompt(made.inner)) };
}

describe('a true statement of a summarizing model', () => {
  it.each<readonly [string, readonly string[], string]>([
    [
      'whose relative date was resolved',
      ['It is 12 July 2023. I went to a conference two days ago.'],
      'Went to a conference on 10 July 2023',
    ],
    [
      'with a number word in figures',
      ['The glue dries in nine hours, not seven.'],
      'The glue dries in 9 hours',
    ],
    [
      'with a number of two words in figures',
      ['The glue dries in forty-five minutes.', 'Der Lack trocknet nicht in neunzehn.'],
      'The glue dries in 45 minutes, the lacquer not in 19',
    ],
    [
      'with a product of three figures',
      ['Seats are 16 on 2 boats at 12 EUR each.'],
      'Seats cost 384 EUR in all: 16 on 2 boats at 12 EUR',
    ],
    ['with numbers of list items', ['Book the tent and pay the deposit.'], '13. Book the tent'],
    [
      'with corrected values',
      [
        'A lunch for 18 people, 450 EUR in total including drinks.',
        'Anna and Tom cannot come, so 16 it is; 400 EUR total.',
      ],
      'Lunch is for 16 people with a budget of 400 EUR in total',
    ],
    [
      'with combined figures',
      ['Seats 16 x 2 x 12 = 384 EUR, the terrace 90 EUR.'],
      'Seats and terrace cost 474 EUR: 384 EUR and 90 EUR',
    ],
    [
      'with figures of another sentence',
      ['We pay a deposit of 25 %, that is 118.50 EUR, by 3 May.'],
      'The deposit of 25 % is on seats and terrace: 118.50 EUR',
    ],
  ])('%s stands as it was written', async (_name, said, statement) => {
    const turns = said.flatMap((text) => [user(text), ...filler]);
    const { sections } = await summarized([turns], [{ keyPoints: [statement] }]);
    expect(sections['keyPoints']).toEqual([statement]);
  });

  it('knows values that only the record before holds', async () => {
    const { sections } = await summarized(
      [[user('Look up JG7FMM.'), ...toolStep('a', 'JG7FMM: HAT028 140')], [user('Which one?')]],
      [
        { keyPoints: ['JG7FMM economy: HAT028 140'] },
        { keyPoints: ['Prices of JG7FMM: HAT028 140'] },
      ],
    );
    expect(sections['keyPoints']).toEqual(['Prices of JG7FMM: HAT028 140']);
  });

  it('is told from an invented value, which is marked and stays', async () => {
    const { sections } = await summarized(
      [[user('We meet at the gate of the harbor, order QX-4411.')]],
      [{ keyPoints: ['The order is QX-9987'] }],
    );
    expect(sections['keyPoints']).toEqual(['The order is QX-9987 (unconfirmed)']);
  });

  it('leaves with the next record that a model writes, when that drops it', async () => {
    const { sections } = await summarized(
      [[user('The key hangs left.')], [user('The key hangs right.')]],
      [{ keyPoints: ['The key hangs left'] }, { keyPoints: ['The key hangs right'] }],
    );
    expect(sections['keyPoints']).toEqual(['The key hangs right']);
  });
});

describe('a constraint', () => {
  it('that an exception changed is replaced as a whole, by how it holds now in the words of the user', async () => {
    const rule = 'No deliveries before 7:00 in the morning and none after 19:00.';
    const { sections } = await summarized(
      [[user(rule)], [user('On market day it is 21:00.')]],
      [
        { constraints: [{ text: rule, message: 0 }] },
        {
          ended: [
            {
              rule: 'c0',
              by: 'On market day it is 21:00.',
              now: 'No deliveries before 7:00 and none after 19:00, on market day 21:00',
            },
          ],
        },
      ],
    );
    expect(sections['constraints']).toEqual([
      'No deliveries before 7:00 and none after 19:00, on market day 21:00',
    ]);
    expect(sections['endedConstraints']).toBeUndefined();
  });

  it.each([
    [
      'is as the model restates it in words of the user',
      'Good, but no exclamation marks in customer messages please.',
      'You may use them for the dinosaur: kids cards are the exception.',
      'kids cards are the exception',
      'No exclamation marks except kids cards',
      ['No exclamation marks except kids cards'],
      undefined,
    ],
    [
      'is followed by what changed it where the model restates it in other words, which are told as its own',
      'Para los clientes: terraza hasta las 22:00.',
      'Die alte Regel mit 22 Uhr kommt weg, jetzt 23:30.',
      'Die alte Regel mit 22 Uhr kommt weg',
      'Terrace until 23:30',
      [
        'Para los clientes: terraza hasta las 22:00 → now: Die alte Regel mit 22 Uhr kommt weg, jetzt 23:30.',
      ],
      ['Terrace until 23:30'],
    ],
    [
      'is followed by what changed it where the model says no more than that',
      'Supplies up to 150 euros without asking me.',
      'And 220 is fine.',
      '220 is fine',
      '220 is fine',
      ['Supplies up to 150 euros without asking me → now: And 220 is fine.'],
      undefined,
    ],
  ])('that changed %s', async (_name, rule, change, by, now, constraints, told) => {
    const { sections } = await summarized(
      [[user(rule)], [user(change)]],
      [{ constraints: [{ text: rule, message: 0 }] }, { ended: [{ rule: 'c0', by, now }] }],
    );
    expect(sections['constraints']).toEqual(constraints);
    expect(sections['keyPoints']).toEqual(told);
  });

  it.each([
    ['no emoji (mails to customers)', 'Thanks, no emoji in there (mails to customers)'],
    ['no emoji (except on Sundays)', 'Thanks, no emoji in there.'],
    ['no emoji (unless Anna asks)', 'Thanks, no emoji in there.'],
    ['no emoji (emoji)', 'Thanks, no emoji in there.'],
  ])('says what "it" is if the user said so beside it: %s', async (text, shown) => {
    const ask = user('I write mails to customers all day. Thanks, no emoji in there.');
    const elsewhere = [user('Never unless Anna asks.'), ...filler, ...filler, assistant('Yes.')];
    const { sections } = await summarized(
      [[...elsewhere, ask]],
      [{ constraints: [{ text, message: elsewhere.length }] }],
    );
    expect(sections['constraints']).toEqual([shown]);
  });

  it.each([
    [
      'You only draft, never write "sent" anywhere',
      'Btw you only draft, so never write "sent" anywhere',
    ],
    ['never write "sent" in any place', undefined],
  ])('in other words leaves out the clauses that it says nothing of: %s', async (text, shown) => {
    const said =
      'Btw you only draft, so never write "sent" anywhere, the last program did that and I nearly fainted.';
    const { sections } = await summarized(
      [[user(said)]],
      [{ constraints: [{ text, message: 0 }] }],
    );
    expect(sections['constraints']).toEqual([shown ?? said]);
  });

  it('in other words keeps what comes before it: that may be the never', async () => {
    const clause = 'Whatever happens, never, and I do mean it, email the clients before noon';
    const { sections } = await summarized(
      [[user(`${clause}, they sleep late on weekdays.`)]],
      [{ constraints: [{ text: 'email clients before noon', message: 0 }] }],
    );
    expect(sections['constraints']).toEqual([clause]);
  });

  it('with a new limit in its middle stays whole', async () => {
    const rule =
      'When something breaks say sorry first, but discounts only up to 5 % without asking me.';
    const change = 'Discounts up to 8 % are fine now.';
    const { sections } = await summarized(
      [[user(rule)], [user(change)]],
      [
        { constraints: [{ text: rule, message: 0 }] },
        { ended: [{ rule: 'discounts only up to 5 % without asking me', by: change }] },
      ],
    );
    expect(sections['constraints']).toEqual([`${rule.slice(0, -1)} → now: ${change}`]);
  });

  it('that ended as a whole stands among the ended ones', async () => {
    const { sections } = await summarized(
      [[user('Never deploy on Fridays.')], [user('Fridays are fine now.')]],
      [
        { constraints: [{ text: 'Never deploy on Fridays', message: 0 }] },
        { ended: [{ rule: 'c0', by: 'Fridays are fine now' }] },
      ],
    );
    expect(sections['constraints']).toBeUndefined();
    expect(sections['endedConstraints']).toEqual([
      'Never deploy on Fridays. → Fridays are fine now.',
    ]);
  });

  it('ends without the one that a word joins to it in the same sentence', async () => {
    const other = 'always run the tests before a merge, please.';
    const { sections } = await summarized(
      [
        [user(`Never deploy on Fridays and ${other}`)],
        [user('Deploying on Fridays is fine from now on.')],
      ],
      [
        {
          constraints: [
            { text: 'Never deploy on Fridays', message: 0 },
            { text: 'always run the tests before a merge', message: 0 },
          ],
        },
        {
          ended: [{ rule: 'c0', by: 'Deploying on Fridays is fine' }],
        },
      ],
    );
    expect(sections['constraints']).toEqual([other]);
  });

  it('keeps a never that the model loses', async () => {
    const { sections } = await summarized(
      [[user('Please never touch the audit log of the bank.')]],
      [{ constraints: [{ text: 'touch the audit log of the bank', message: 0 }] }],
    );
    expect(sections['constraints']).toEqual(['Please never touch the audit log of the bank.']);
  });

  it("of the model's in another language is shown in the user's own words", async () => {
    const { sections } = await summarized(
      [[user('Bitte keine Lieferungen vor sieben Uhr.')]],
      [{ constraints: [{ text: 'Do not ship early', message: 0 }] }],
    );
    expect(sections['constraints']).toEqual(['Bitte keine Lieferungen vor sieben Uhr.']);
  });

  it('in another language is found by a value that it shares with the user', async () => {
    const rule = 'Bitte nichts über 750 EUR bestellen, ohne mich vorher zu fragen.';
    const { sections } = await summarized(
      [[user(`Guten Morgen. ${rule} ${words(4, 60)}.`)]],
      [
        {
          constraints: [
            { text: 'Always ask before any order that costs more than 750', message: 0 },
          ],
        },
      ],
    );
    expect(sections['constraints']).toEqual([rule]);
  });

  it.each([
    [
      'speaker lines',
      'Here is a call, two sentences please.\nProject Manager: we want a remote control that is water resistant, strong and furry.\nDesigner: it needs a bright color.\nProject Manager: good, then we stop here.',
    ],
    [
      'a fence',
      'Two sentences please.\n```\nwe want a remote control that is water resistant, strong and furry\n```',
    ],
    [
      'a quotation',
      'Two sentences please.\n> we want a remote control that is water resistant, strong and furry',
    ],
  ])('does not come from a paste: %s', async (_name, text) => {
    const pasted = 'we want a remote control that is water resistant, strong and furry';
    const { sections } = await summarized(
      [[user(text)]],
      [{ constraints: [{ text: pasted, message: 0 }] }],
    );
    expect(sections['constraints']).toBeUndefined();
    expect(sections['keyPoints']).toEqual([pasted]);
  });
});

const done = [
  { content: 'Read the log', status: 'completed' },
  { content: 'Fix the parser', status: 'in_progress' },
];

/** A call of a todo tool that writes its whole list. */
function todo(id: string, todos: readonly object[]): readonly ModelMessage[] {
  return toolStep(id, 'ok', 'todo_write', { todos });
}

const planned: readonly ModelMessage[] = [
  user('Fix the parser.'),
  ...todo('t1', [{ content: 'Read the log', status: 'pending' }]),
  ...todo('t2', done),
  ...[...Array(6).keys()].flatMap((index) => toolStep(`r${index}`, words(index, 80))),
];
const state = 'completed: Read the log\nin_progress: Fix the parser';

describe('the plan of an agent', () => {
  it('stands in the record that a model wrote, over several summaries', async () => {
    const { sections } = await summarized(
      [planned, [user('More.')], [user('More.')]],
      [{}, {}, {}],
    );
    expect(sections['plan']).toBe(state);
  });

  it('stands in the record without a model, over several summaries', async () => {
    const { sections } = await summarized([planned, [user('More.')]], [], {
      strategy: 'rule-based',
    });
    expect(sections['plan']).toBe(state);
  });

  it('is gone when it was cleared', async () => {
    const { sections } = await summarized([planned, [user('Stop.'), ...todo('t3', [])]], [{}, {}]);
    expect(sections['plan']).toBeUndefined();
  });

  it('is left out where the recent messages show it', async () => {
    const made = setUp(
      { ...options, preserveRecent: 4 },
      { summarizer: summarizerModel(JSON.stringify({ summary: 'They talked.' })) },
    );
    await force(made, [...planned, ...filler, ...todo('t4', done), user('Go on.')]);
    expect(summarySections(lastPrompt(made.inner))['plan']).toBeUndefined();
  });
});

describe('a record that its budget has no room for', () => {
  const written = {
    constraints: [{ text: 'Never touch the audit log of the bank', message: 0 }],
    keyPoints: Array.from({ length: 20 }, (_, index) => words(index, 12)),
    domainEntities: ['Alpenrose', 'Kestrel', 'Ostrich'],
    summary: 'The goal is a new store. It was moved in parts. The last part waits for a key.',
  };
  const turns = [[user('Never touch the audit log of the bank.'), assistant(words(9, 4000))]];

  it('loses names first, then lists from their ends, and tells how many items', async () => {
    const made = await summarized(turns, [written], { maxSummaryTokens: 300 });
    const { sections } = made;
    const points = written.keyPoints.slice(0, 3);
    expect(sections['domainEntities']).toBeUndefined();
    expect(sections['keyPoints']).toEqual(expect.arrayContaining(points));
    expect(sections['keyPoints']).not.toContain(written.keyPoints.at(-1));
    expect(sections['constraints']).toEqual(['Never touch the audit log of the bank.']);
    expect(sections['summary']).toBe(written.summary);
    const [end] = eventsOf(made, 'end');
    expect(end?.itemsLeftOut).toBeGreaterThan(3);
  });

  it('tells of nothing left out where there is room', async () => {
    const made = await summarized(turns, [written], { maxSummaryTokens: 2000 });
    expect(eventsOf(made, 'end')[0]?.itemsLeftOut).toBe(0);
    expect(made.sections['keyPoints']).toEqual(written.keyPoints);
  });
});

describe('a record that a model wrote', () => {
  const said = [
    ...[...Array(60).keys()].map((index) =>
      user(`The gate ${index + 100} is for ${words(index, 8)}.`),
    ),
    assistant(words(9, 9000)),
  ];
  const points = (count: number, tokens: number) =>
    Array.from({ length: count }, (_, index) => `Gate ${index + 100}: ${words(index, tokens)}`);

  it.each([
    ['gets quotes of the user where it leaves much room', 4, 12, 600, true],
    ['gets none where it takes all that the model was asked for', 56, 42, 6000, false],
    ['gets as many as there is room for where it says next to nothing', 4, 12, 6000, true],
  ])('%s', async (_, count, tokens, maxSummaryTokens, isQuoted) => {
    const written = { keyPoints: points(count, tokens), summary: 'Gates were named.' };
    const made = await summarized([said], [written], { maxSummaryTokens });
    expect(made.sections['keyPoints']).toEqual(written.keyPoints);
    expect(made.sections['userQuotes'] !== undefined).toBe(isQuoted);
  });
});

it('keeps an answer that was paid for where what code would add makes it too large', async () => {
  const chat = [...Array(30).keys()].flatMap((index) => [
    user(`Question ${index} is about ${words(index, 30)}`),
    assistant(`Answer ${index}: ${words(index + 1, 30)}`),
  ]);
  const summary = Array.from({ length: 12 }, (_, index) => `Part ${index}: ${words(index, 60)}.`);
  const made = await summarized([chat], [{ summary: summary.join(' ') }], {
    maxSummaryTokens: 2000,
  });
  const [end] = eventsOf(made, 'end');
  expect(end?.record.strategy).toBe('llm');
  expect(made.sections['summary']).toContain('Part 11');
});
