import type { LanguageModelV4Message, LanguageModelV4ToolCallPart } from '@ai-sdk/provider';
import { randomNumbers } from '../cache/random.ts';
import { loadCorpora } from '../retention/load-corpora.ts';
import type { Conversation } from '../retention/make-cut.ts';
import { callStatements, valuesOfCall } from './call-statements.ts';
import { userSays } from './chatter.ts';
import { tail, type World } from './conversation.ts';
import { extras } from './extras.ts';
import { filled, inLanguage, type Fact } from './fact.ts';
import { rules } from './statements-ruled.ts';
import { oneOf } from './random.ts';
import type { Language, Value } from './value.ts';

const languages: readonly [Language, ...Language[]] = ['de', 'es', 'fr', 'ru', 'zh'];

/** Messages in front of which a rule is said that the conversation itself does not hold. */
const messagesToRule = 5;

/** Facts taken from one conversation. */
const mostFacts = 8;

/** Conversations of the corpora that facts are known of: what agents called, and answers to questions. */
export function realWorlds(folder: string, most: number): readonly World[] {
  const corpora = loadCorpora(folder).map(({ conversations }) => conversations);
  const worlds: World[] = [];
  // In turn from each corpus, the first attempt at each task.
  for (let position = 0; worlds.length < most && position < 200; position += 1) {
    for (const conversations of corpora) {
      const conversation = conversations[position * (conversations.length > 100 ? 4 : 1)];
      const world = conversation === undefined ? undefined : worldOf(conversation, position);
      if (world !== undefined && world.facts.length > 1 && worlds.length < most) worlds.push(world);
    }
  }
  return worlds;
}

function worldOf({ id, messages, probes }: Conversation, seed: number): World {
  const random = randomNumbers(seed);
  const spoken = messages.filter(({ role }) => role !== 'system');
  const called = spoken.flatMap((message) =>
    callsOf(message).flatMap((call) => told(call, random)),
  );
  const answers = probes.flatMap(({ question, answer }): readonly Fact[] =>
    question?.endsWith('?') && answer !== undefined && answer.length > 2 && says(spoken, answer)
      ? [answered(question, answer)]
      : [],
  );
  const facts = unique([...called, ...answers]).slice(-mostFacts);
  const ruled: LanguageModelV4Message[] = [...spoken];
  const rule = plantedRule(random);
  ruled.splice(safePlace(spoken), 0, userSays(rule.said));
  const { stale, planted, messages: more } = extras(random);
  return {
    name: id,
    language: 'en',
    messages: [...ruled, ...more, ...tail(random, 'en')],
    facts: [...facts, rule],
    stale,
    planted,
  };
}

function callsOf({
  role,
  content,
}: LanguageModelV4Message): readonly LanguageModelV4ToolCallPart[] {
  return role === 'assistant' ? content.filter((part) => part.type === 'tool-call') : [];
}

function told(call: LanguageModelV4ToolCallPart, random: () => number): readonly Fact[] {
  const values = valuesOfCall(call.input);
  const command = values['command']?.write('en') ?? '';
  const statement = callStatements[`${call.toolName} ${command}`] ?? callStatements[call.toolName];
  const needed = statement?.told.en.match(/(?<=\{)\w+(?=\})/g) ?? [];
  if (statement === undefined || needed.some((name) => values[name] === undefined)) return [];
  const { field, paraphrase } = statement;
  const language = oneOf(random, languages);
  const [first = ''] = needed;
  const wrong = values[first]?.miscopied();
  return [
    {
      kind: field === 'domainEntities' ? 'file' : field === 'decisions' ? 'decision' : 'finding',
      field,
      values: needed.map((name) => values[name]?.write('en') ?? ''),
      said: values[first]?.write('en') ?? '',
      told: inLanguage(statement.told.en, values, 'en'),
      variants: [
        { kind: 'translation', text: inLanguage(statement.told[language], values, language) },
        {
          kind: 'format',
          text: filled(statement.told.en, values, (value) => value.reformat('en')),
        },
        { kind: 'paraphrase', text: inLanguage(paraphrase, values, 'en') },
      ],
      ...(wrong === undefined
        ? {}
        : { miscopied: inLanguage(statement.told.en, { ...values, [first]: wrong }, 'en') }),
    },
  ];
}

function answered(question: string, answer: string): Fact {
  return {
    kind: 'finding',
    field: 'keyPoints',
    values: [answer],
    said: answer,
    told: `${question} ${answer}`,
    variants: [{ kind: 'paraphrase', text: `Asked "${question}", the user says: ${answer}.` }],
  };
}

function plantedRule(random: () => number): Fact {
  const { said, told: telling, values: makers } = oneOf(random, rules);
  const values: Record<string, Value> = {};
  for (const [name, make] of Object.entries(makers)) values[name] = make(random);
  return {
    kind: 'rule',
    field: 'constraints',
    values: Object.values(values).map((value) => value.write('en')),
    said: inLanguage(said.en, values, 'en'),
    told: inLanguage(telling.en, values, 'en'),
    variants: [{ kind: 'translation', text: inLanguage(telling.de, values, 'de') }],
  };
}

/** In front of a message of the user or, where there is only one, behind it. */
function safePlace(messages: readonly LanguageModelV4Message[]): number {
  const later = messages.findIndex(({ role }, index) => role === 'user' && index >= messagesToRule);
  return later < 0 ? 1 : later;
}

function says(messages: readonly LanguageModelV4Message[], text: string): boolean {
  return JSON.stringify(messages).includes(text);
}

function unique(facts: readonly Fact[]): readonly Fact[] {
  return [...new Map(facts.map((fact) => [fact.told, fact])).values()];
}
