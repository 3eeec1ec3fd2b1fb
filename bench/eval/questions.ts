/** One that spoke, and what was said. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A question about a conversation, with the answer it is held against. */
export interface Question {
  readonly id: string;
  /** As it is asked: with the date on which, where the file has one. */
  readonly question: string;
  readonly reference: string;
  /** What kind of question the file calls it. */
  readonly type: string;
  /** Whether the right answer is that the conversation does not say. */
  readonly unanswerable: boolean;
}

/** A conversation, and what is asked about it. */
export interface Conversation {
  readonly messages: readonly Said[];
  readonly questions: readonly Question[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads LongMemEval (https://arxiv.org/abs/2410.10813), LoCoMo (https://arxiv.org/abs/2402.17753), or objects with
 * `messages` and `questions`: a list of them, or JSON lines.
 *
 * @throws {Error} naming the conversation that is of none of these forms.
 */
export function readQuestions(text: string): readonly Conversation[] {
  const isList = text.trimStart().startsWith('[');
  const values: unknown[] = isList
    ? JSON.parse(text)
    : text.split('\n').flatMap((line): unknown[] => (line.trim() === '' ? [] : [JSON.parse(line)]));
  return values.map((value, index) => {
    const name = `conversation ${index + 1}`;
    if (!isObject(value)) throw new Error(`${name} is no object.`);
    if (Array.isArray(value['haystack_sessions'])) return longMemEval(value, name);
    if (isObject(value['conversation'])) return locomo(value, value['conversation'], name);
    return {
      messages: listIn(value, 'messages', name).map((each) => said(each['role'], each['content'])),
      questions: listIn(value, 'questions', name).map((each, at) =>
        questionOf(each, `${textOf(value['id'] ?? name)}/${at + 1}`),
      ),
    };
  });
}

/** One question about sessions that have dates; an id that ends in `_abs` says that nothing was said of it. */
function longMemEval(value: Fields, name: string): Conversation {
  const { haystack_sessions: sessions, haystack_dates: dates, question_date: date } = value;
  const id = textOf(value['question_id'] ?? name);
  const messages = listOf(sessions).flatMap((session, index) =>
    dated(
      listOf(session).map((turn) => said(Object(turn).role, Object(turn).content)),
      listOf(dates)[index],
    ),
  );
  const asked = `${date === undefined ? '' : `Today is ${textOf(date)}. `}${textOf(value['question'])}`;
  const given = { ...value, question: asked, type: value['question_type'] };
  return { messages, questions: [questionOf({ ...given, unanswerable: id.endsWith('_abs') }, id)] };
}

/** The kinds of questions, by their numbers in the file. */
const categories = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];

/** Sessions of two speakers, the first of whom is the user. */
function locomo(value: Fields, conversation: Fields, name: string): Conversation {
  const numbers = Object.keys(conversation).flatMap(
    (key) => /^session_(\d+)$/.exec(key)?.[1] ?? [],
  );
  const messages = numbers
    .toSorted((a, b) => Number(a) - Number(b))
    .flatMap((number) =>
      dated(
        listIn(conversation, `session_${number}`, name).map((turn) => {
          const { speaker, text, blip_caption: caption } = turn;
          const picture = caption === undefined ? '' : ` [shares a picture: ${textOf(caption)}]`;
          const role = speaker === conversation['speaker_a'] ? 'user' : 'assistant';
          return said(role, `${textOf(speaker)}: ${textOf(text)}${picture}`);
        }),
        conversation[`session_${number}_date_time`],
      ),
    );
  const questions = listIn(value, 'qa', name).map((each, at) => {
    const type = categories[Number(each['category']) - 1] ?? '';
    const given = { ...each, type, unanswerable: type === 'adversarial' };
    return questionOf(given, `${textOf(value['sample_id'] ?? name)}/${at + 1}`);
  });
  return { messages, questions };
}

function questionOf({ question, answer, type, unanswerable }: Fields, id: string): Question {
  if (typeof question !== 'string') throw new Error(`${id} has no question.`);
  const isUnanswerable = unanswerable === true;
  const reference = isUnanswerable ? 'The conversation does not say.' : textOf(answer);
  if (reference === '') throw new Error(`${id} has no answer.`);
  return { id, question, reference, type: textOf(type), unanswerable: isUnanswerable };
}

/** The messages of a session, the first of which tells when it took place. Providers refuse what is empty. */
function dated(session: readonly Said[], date: unknown): readonly Said[] {
  return session
    .filter(({ content }) => content.trim() !== '')
    .map(({ role, content }, index) => ({
      role,
      content: index === 0 && date !== undefined ? `[${textOf(date)}]\n${content}` : content,
    }));
}

function said(role: unknown, content: unknown): Said {
  return { role: role === 'assistant' ? role : 'user', content: textOf(content) };
}

function listIn(value: Fields, name: string, of: string): readonly Fields[] {
  const list = value[name];
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new Error(
    `${of} has no list of ${name}: known are LongMemEval, LoCoMo, messages and questions.`,
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
