import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { randomNumbers } from '../cache/random.ts';
import { assistantSays, chatter, logLines, toolRun, userSays } from './chatter.ts';
import { extras } from './extras.ts';
import { filled, inLanguage, type Fact, type Field, type Variant } from './fact.ts';
import type { Statement } from './statement.ts';
import { statements } from './statements.ts';
import { path } from './named-values.ts';
import { oneOf } from './random.ts';
import type { Language, Value } from './value.ts';

/** A conversation and what it says. */
export interface World {
  readonly name: string;
  readonly language: Language;
  readonly messages: readonly LanguageModelV4Message[];
  readonly facts: readonly Fact[];
  /** What was said first and then corrected. */
  readonly stale: readonly Fact[];
  /** What a tool printed to be taken for a rule or a decision. */
  readonly planted: readonly string[];
}

/** Messages without a fact behind the others: they stay as they are and are not summarised. */
const tailMessages = 8;

const languages: readonly [Language, ...Language[]] = ['en', 'de', 'es', 'fr', 'ru', 'zh'];

/** Makes a conversation in which everything is said once and six files are changed. */
export function syntheticWorld(seed: number, language: Language): World {
  const random = randomNumbers(seed);
  const messages: LanguageModelV4Message[] = [userSays(chatter(random, language))];
  const facts: Fact[] = [];
  const drafts = shuffled(statements, random).map((statement) => draftOf(statement, random));
  for (const [position, draft] of drafts.entries()) {
    const { statement } = draft;
    const fact = factOf(draft, drafts, language, random);
    facts.push(fact);
    messages.push(...exchange(fact.said, statement.by, `say-${position}`, language, random));
    if (position % 3 === 0) {
      const { fact: file, messages: run } = changedFile(`edit-${position}`, random);
      facts.push(file);
      messages.push(...run);
    }
  }
  const { stale, planted, messages: more } = extras(random);
  return {
    name: `synthetic ${language} ${seed}`,
    language,
    messages: [...messages, ...more, ...tail(random, language)],
    facts,
    stale,
    planted,
  };
}

/** What follows on the part of a conversation that is summarised. */
export function tail(random: () => number, language: Language): readonly LanguageModelV4Message[] {
  return Array.from({ length: tailMessages }, (_, index) =>
    (index % 2 === 0 ? assistantSays : userSays)(chatter(random, language)),
  );
}

/** A statement with values of its own. */
interface Draft {
  readonly statement: Statement;
  readonly values: Readonly<Record<string, Value>>;
}

function draftOf(statement: Statement, random: () => number): Draft {
  const entries = Object.entries(statement.values).map(([name, make]) => [name, make(random)]);
  return { statement, values: Object.fromEntries(entries) };
}

function factOf(
  { statement, values }: Draft,
  drafts: readonly Draft[],
  language: Language,
  random: () => number,
): Fact {
  const { kind, said, told, paraphrase, negated } = statement;
  const drawn = oneOf(random, languages);
  const translated = drawn === language ? (language === 'en' ? 'de' : 'en') : drawn;
  const variants: Variant[] = [
    { kind: 'translation', text: inLanguage(told[translated], values, translated) },
    { kind: 'format', text: filled(told[language], values, (value) => value.reformat(language)) },
  ];
  if (language === 'en')
    variants.push({ kind: 'paraphrase', text: inLanguage(paraphrase, values, language) });
  const tell = (others: Readonly<Record<string, Value>>): string =>
    inLanguage(told[language], { ...values, ...others }, language);
  const [name = '', second = ''] = Object.keys(values);
  const wrong = values[name]?.miscopied();
  const foreign = valueOfAnother(statement, name, drafts);
  return {
    kind,
    field: fieldOf(kind),
    values: Object.values(values).map((value) => value.write(language)),
    said: inLanguage(said[language], values, language),
    told: tell({}),
    variants,
    ...(wrong === undefined ? {} : { miscopied: tell({ [name]: wrong }) }),
    ...(language === 'en' ? { negated: inLanguage(negated, values, language) } : {}),
    ...(statement.values[name] === statement.values[second] && values[name] && values[second]
      ? { swapped: tell({ [name]: values[second], [second]: values[name] }) }
      : {}),
    ...(foreign === undefined ? {} : { relinked: tell({ [name]: foreign }) }),
  };
}

/** A value of the same form that the conversation gives to something else. */
function valueOfAnother(
  statement: Statement,
  name: string,
  drafts: readonly Draft[],
): Value | undefined {
  for (const { statement: other, values } of drafts) {
    const same = Object.keys(values).find((key) => other.values[key] === statement.values[name]);
    if (other !== statement && same !== undefined) return values[same];
  }
  return undefined;
}

function fieldOf(kind: Statement['kind']): Field {
  if (kind === 'rule') return 'constraints';
  if (kind === 'decision') return 'decisions';
  if (kind === 'task') return 'actionItems';
  return kind === 'question' ? 'unresolved' : 'keyPoints';
}

function exchange(
  said: string,
  by: Statement['by'],
  callId: string,
  language: Language,
  random: () => number,
): readonly LanguageModelV4Message[] {
  if (by === 'user')
    return [
      userSays(`${chatter(random, language)} ${said}`),
      assistantSays(chatter(random, language)),
    ];
  if (by === 'assistant')
    return [
      assistantSays(`${said} ${chatter(random, language)}`),
      userSays(chatter(random, language)),
    ];
  return [
    ...toolRun(callId, 'run_command', { command: 'make report' }, `${logLines(random)}\n${said}`),
    assistantSays(chatter(random, language)),
    userSays(chatter(random, language)),
  ];
}

function changedFile(
  callId: string,
  random: () => number,
): { readonly fact: Fact; readonly messages: readonly LanguageModelV4Message[] } {
  const file = path(random);
  const name = file.write('en');
  const input = { path: name, old_str: 'return value;', new_str: 'return value ?? 0;' };
  return {
    fact: {
      kind: 'file',
      field: 'domainEntities',
      values: [name],
      said: name,
      told: name,
      variants: [{ kind: 'format', text: file.reformat('en') }],
      miscopied: file.miscopied().write('en'),
    },
    messages: toolRun(callId, 'edit_file', input, 'The file was edited.'),
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
