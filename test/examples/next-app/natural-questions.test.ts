import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { chatPersona } from '../../../examples/next-app/embedded-model/chat-persona.ts';
import { embeddedModel } from '../../../examples/next-app/embedded-model/embedded-model.ts';
import { summarizationMiddleware } from '../../../src/index.ts';

/** What a user tells. */
const told = [
  'My name is Noor Haddad, and I run a small bakery in Bremen.',
  'The bakery is called Krume, and it opens at six in the morning.',
  'My brother Elias does the books every second Thursday.',
  'We decided to sell our bread online from September on.',
  'Our budget for the website is 9,500 euros.',
  'Never write to customers on Sundays.',
  'The oven is a Miwe Condo from 2009, and it needs a new door seal.',
  'Our flour comes from a mill in Worpswede.',
  'The mill delivers on Tuesdays before nine.',
  'I am allergic to hazelnuts.',
  'Our best seller is a rye loaf of 750 grams for 4.80 euros.',
  'The landlord is Mrs. Petersen, and the rent is 2,150 euros a month.',
  'The lease ends on 31 March 2028.',
  'We chose Stripe for payments because it takes cards and SEPA.',
  'Deliveries go out with a cargo bike called Gustav.',
  'The password of the WLAN is written on the back of the till.',
  'Answers must be shorter than 80 words.',
  'Remind me to order 40 boxes before Friday.',
  'Our apprentice Malik starts on 1 August.',
  'The health inspector comes in the second week of May.',
  'Last year we sold 31,000 rolls in December alone.',
  'The logo was drawn by Ines Ferreira in Porto.',
  'Our web developer Tomasz works from Gdansk and speaks German.',
  'We agreed to close the shop for two weeks in July.',
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
  ['What is the bakery called?', 'Krume'],
  ['When does the bakery open?', 'six in the morning'],
  ['At what time do we open the bakery?', 'six in the morning'],
  ['Who does the books?', 'Elias'],
  ['What does Elias do?', 'books'],
  ['How often are the books done?', 'second Thursday'],
  ['When do we start selling online?', 'September'],
  ['What did we decide about selling bread?', 'September'],
  ['How much is the budget?', '9,500'],
  ["What's our budget for the website?", '9,500'],
  ['How much money can the website cost?', '9,500'],
  ['On which day must we never write to customers?', 'Sundays'],
  ['What must never be done on Sundays?', 'customers'],
  ['Which oven do we have?', 'Miwe'],
  ['How old is the oven?', '2009'],
  ['What does the oven need?', 'door seal'],
  ['Where does our flour come from?', 'Worpswede'],
  ['Who supplies the flour?', 'mill'],
  ['When does the mill deliver?', 'Tuesdays'],
  ['On what day is the delivery of the mill?', 'Tuesdays'],
  ['What am I allergic to?', 'hazelnuts'],
  ['Do you know about my allergies?', 'hazelnuts'],
  ['What is our best seller?', 'rye'],
  ['How much does the rye loaf cost?', '4.80'],
  ['How heavy is a loaf of rye?', '750'],
  ['Who is our landlord?', 'Petersen'],
  ['How high is the rent?', '2,150'],
  ['What rent do we pay?', '2,150'],
  ['When does the lease end?', '31 March 2028'],
  ['Until when does our lease run?', '2028'],
  ['Why did we choose Stripe?', 'SEPA'],
  ['Which payments provider did we choose?', 'Stripe'],
  ['How do we take payments?', 'Stripe'],
  ['What is the cargo bike called?', 'Gustav'],
  ['What do deliveries go out with?', 'cargo bike'],
  ['Where is the WLAN password?', 'till'],
  ['Where did I write the password?', 'till'],
  ['How long may answers be?', '80 words'],
  ['How short must your answers be?', '80 words'],
  ['How many boxes do I have to order?', '40 boxes'],
  ['By when do I have to order the boxes?', 'Friday'],
  ['When does Malik start?', '1 August'],
  ['Who is our apprentice?', 'Malik'],
  ['When is the health inspection?', 'May'],
  ['In which week does the inspector come?', 'second week'],
  ['How many rolls did we sell last December?', '31,000'],
  ['How many rolls were sold?', '31,000'],
  ['Who drew the logo?', 'Ines Ferreira'],
  ['Where does Ines live?', 'Porto'],
  ['Who made our logo', 'Ines'],
  ['Where does Tomasz work?', 'Gdansk'],
  ['Who is our web developer?', 'Tomasz'],
  ['Which language does our developer speak?', 'German'],
  ['When do we close in July?', 'two weeks'],
  ['For how long will the shop be closed?', 'two weeks'],
  ['tell me the name of our landlord', 'Petersen'],
  ['Who is the landlord and when does the lease end?', '31 March 2028'],
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
    { name: 'what was summarised', contextLength: 8_000 },
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

  it('never says that something was not said', async () => {
    const history = await talk(32_000);
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

  it('answers each part of a question', async () => {
    const history = await talk(32_000);
    const text = await ask('Who is the landlord and when does the lease end?', history, 32_000);
    expect(text).toContain('Petersen');
    expect(text).toContain('31 March 2028');
  });

  it('quotes a sentence once that answers two parts', async () => {
    const history: ModelMessage[] = [
      { role: 'user', content: 'Our budget is 12,000 euros and we leave on 14 May.' },
      { role: 'assistant', content: 'Noted.' },
    ];
    const text = await ask('What is our budget, and when do we leave?', history, 32_000);
    expect(text.split('12,000')).toHaveLength(2);
  });
});
