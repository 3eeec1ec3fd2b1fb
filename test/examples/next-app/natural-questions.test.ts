import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { chatPersona } from '../../../examples/next-app/embedded-model/chat-persona.ts';
import { embeddedModel } from '../../../examples/next-app/embedded-model/embedded-model.ts';
import { summarizationMiddleware } from '../../../src/index.ts';

/** What a user tells. */
const told = [
  'My name is Noor Haddad, and I run a small bakery in Bremen.',
  'We decided to sell our bread online from September on.',
  'Our budget for the website is 9,500 euros.',
  'Never write to customers on Sundays.',
  'The oven is a Miwe Condo from 2009, and it needs a new door seal.',
  'Our flour comes from a mill in Worpswede.',
  'I am allergic to hazelnuts.',
  'Our best seller is a rye loaf of 750 grams for 4.80 euros.',
  'The landlord is Mrs. Petersen, and the rent is 2,150 euros a month.',
  'The lease ends on 31 March 2028.',
  'We chose Stripe for payments because it takes cards and SEPA.',
  'Remind me to order 40 boxes before Friday.',
  'The health inspector comes in the second week of May.',
  'The logo was drawn by Ines Ferreira in Porto.',
];

/** What is said behind it, which answers none of the questions. */
const chatter = [
  'The weather is awful again, rain since Monday.',
  'I read that rye grows well on sandy soil.',
  'A customer praised the pretzels this morning.',
  'The tram was late, so I walked along the river.',
  'I am thinking about a new sign above the door.',
  'There was a long queue before the school holidays.',
  'My neighbour gave me a jar of plum jam.',
  'The radio played a song from the eighties.',
  'I will paint the shelves green, I guess.',
  'Somebody left an umbrella at the counter.',
];

/** Questions as people ask them, and words of the sentence that answers. */
const questions: readonly (readonly [question: string, answer: string])[] = [
  ['What is my name?', 'Noor Haddad'],
  ['What am I called?', 'Noor Haddad'],
  ['Which city is my bakery in?', 'Bremen'],
  ['When do we start selling online?', 'September'],
  ['What did we decide about selling bread?', 'September'],
  ['How much is the budget?', '9,500'],
  ["What's our budget for the website?", '9,500'],
  ['How much money can the website cost?', '9,500'],
  ['On which day must we never write to customers?', 'Sundays'],
  ['Which oven do we have?', 'Miwe'],
  ['How old is the oven?', '2009'],
  ['Where does our flour come from?', 'Worpswede'],
  ['What am I allergic to?', 'hazelnuts'],
  ['Do you know about my allergies?', 'hazelnuts'],
  ['What is our best seller?', 'rye'],
  ['How much does the rye loaf cost?', '4.80'],
  ['Who is our landlord?', 'Petersen'],
  ['How high is the rent?', '2,150'],
  ['When does the lease end?', '31 March 2028'],
  ['Until when does our lease run?', '2028'],
  ['Why did we choose Stripe?', 'SEPA'],
  ['How do we take payments?', 'Stripe'],
  ['How many boxes do I have to order?', '40 boxes'],
  ['By when do I have to order the boxes?', 'Friday'],
  ['When is the health inspection?', 'May'],
  ['Who drew the logo?', 'Ines Ferreira'],
  ['Where does Ines live?', 'Porto'],
  ['tell me the name of our landlord', 'Petersen'],
];

const leastShare = 0.85;

/** What a document says, which fills the window as look-ups do. */
const looked = Array.from({ length: 60 }, (_, line) => `Line ${line}: nothing of note is here.`);

/** The conversation in which everything was told, and answered. */
async function talk(contextLength: number): Promise<readonly ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const content of [...told, ...chatter]) {
    messages.push({ role: 'user', content });
    const { text } = await generateText({ model: partner(contextLength), messages });
    const answer = chatter.includes(content) ? [text, ...looked].join('\n') : text;
    messages.push({ role: 'assistant', content: answer });
  }
  return messages;
}

const middlewares = new Map<number, ReturnType<typeof summarizationMiddleware>>();

function partner(contextLength: number) {
  const middleware = middlewares.get(contextLength) ?? summarizationMiddleware({ contextLength });
  middlewares.set(contextLength, middleware);
  return wrapLanguageModel({
    model: embeddedModel(contextLength, { persona: chatPersona }),
    middleware,
  });
}

async function ask(question: string, history: readonly ModelMessage[], contextLength: number) {
  const messages: ModelMessage[] = [...history, { role: 'user', content: question }];
  return (await generateText({ model: partner(contextLength), messages })).text;
}

describe('the offline model of the chat', () => {
  it.each([
    { name: 'what stands in view', contextLength: 32_000 },
    { name: 'what was summarized', contextLength: 8_000 },
  ])('answers natural questions about $name with the right sentence', async ({ contextLength }) => {
    const history = await talk(contextLength);
    const missed: string[] = [];
    let remembered = 0;
    for (const [question, answer] of questions) {
      const text = await ask(question, history, contextLength);
      if (text.includes('From the summary')) remembered += 1;
      if (!text.includes(answer)) missed.push(`${question} -> ${text}`);
    }
    console.info(
      `${questions.length - missed.length} of ${questions.length}\n${missed.join('\n')}`,
    );
    expect(remembered > questions.length / 2).toBe(contextLength < 9_000);
    expect(missed.length / questions.length).toBeLessThanOrEqual(1 - leastShare);
  });

  it('answers each part of a question, and never says that something was not said', async () => {
    const history = await talk(32_000);
    const both = await ask('Who is the landlord and when does the lease end?', history, 32_000);
    expect(both).toContain('Petersen');
    expect(both).toContain('31 March 2028');
    const text = await ask('What colour is the elephant?', history, 32_000);
    expect(text).toContain('No sentence shares a word with');
    expect(text).not.toMatch(/do(?:es)? not say|never said|don't know/);
  });

  it.each(['Write a poem about autumn.', 'Could you translate this into French?'])(
    'says what it is when it is asked to %s',
    async (request) => {
      expect(await ask(request, [], 32_000)).toContain('takes a model that understands language');
    },
  );

  it('quotes a sentence once that answers two parts', async () => {
    const history: ModelMessage[] = [
      { role: 'user', content: 'Our budget is 12,000 euros and we leave on 14 May.' },
      { role: 'assistant', content: 'Noted.' },
    ];
    const text = await ask('What is our budget, and when do we leave?', history, 32_000);
    expect(text.split('12,000')).toHaveLength(2);
  });
});
