import { isObject } from '../../../util/is-object.ts';
import { elementLines } from '../../formats/element-lines.ts';
import type { Fields } from '../../formats/message-reader.ts';
import {
  conversationOf,
  describe,
  found,
  parseValues,
  type RawValue,
} from '../../formats/parse-file.ts';
import { readConversation } from '../../formats/read-conversation.ts';
import { referenceOf } from './dated-session.ts';
import type { EvalConversation, EvalQuestion } from './eval-conversation.ts';
import { locomo } from './locomo.ts';
import { longMemEval } from './long-mem-eval.ts';

const understood =
  'LongMemEval (question_id, question, answer, haystack_sessions), LoCoMo (conversation, qa), or objects with messages and questions; one, a list of them, or JSON lines';
const questions =
  'questions that are objects with a question and an answer, both texts, and perhaps id, type and unanswerable';

/**
 * Reads conversations and the questions about them, in any of the forms that are understood.
 *
 * @throws {CommandError} with the line, what was found and what is understood.
 */
export async function readEvaluation(text: string): Promise<readonly EvalConversation[]> {
  const conversations: EvalConversation[] = [];
  for (const given of parseValues(text, understood).flatMap(elementsOf))
    conversations.push(await read(given, `conversation ${conversations.length + 1}`));
  if (conversations.every((conversation) => conversation.questions.length === 0))
    throw found(1, 'no question', understood);
  return conversations;
}

/** The elements of a list, or what is none. */
function elementsOf(given: RawValue): readonly RawValue[] {
  const { value, text, line } = given;
  if (!Array.isArray(value)) return [given];
  let lines: readonly number[] | undefined;
  return value.map((element: unknown, index) => ({
    value: element,
    // Lines are for errors, and a file may have hundreds of megabytes: looked for where one is asked for.
    get line() {
      lines ??= elementLines(text, []);
      return line - 1 + (lines[index] ?? 1);
    },
    text: '',
  }));
}

async function read(given: RawValue, name: string): Promise<EvalConversation> {
  const { value } = given;
  if (!isObject(value)) throw found(given.line, describe(value), understood);
  if ('haystack_sessions' in value || 'qa' in value) {
    const conversation = 'qa' in value ? locomo(value) : longMemEval(value);
    if (conversation === undefined) throw found(given.line, describe(value), published);
    return conversation;
  }
  if (!Array.isArray(value['questions'])) throw found(given.line, describe(value), understood);
  const own = conversationOf(given, name);
  return {
    name: own.name,
    prompt: await readConversation(own),
    questions: value['questions'].map((question: unknown, index) => {
      const asked = isObject(question)
        ? ownQuestion(question, `${own.name}/${index + 1}`)
        : undefined;
      if (asked !== undefined) return asked;
      throw found(given.line, `question ${index + 1}, ${describe(question)}`, questions);
    }),
  };
}

const published =
  'LongMemEval with question_id, question, answer, and haystack_sessions of {role, content}; LoCoMo with conversation of session_1, session_2 ... of {speaker, text}, and qa of {question, answer, category}';

function ownQuestion(given: Fields, name: string): EvalQuestion | undefined {
  const { id = name, question, type = '', unanswerable: isUnanswerable = false } = given;
  const reference =
    referenceOf(given['answer']) ??
    (isUnanswerable === true ? 'The conversation does not say.' : undefined);
  return typeof id === 'string' &&
    typeof question === 'string' &&
    typeof type === 'string' &&
    typeof isUnanswerable === 'boolean' &&
    reference !== undefined
    ? { id, question, reference, type, isUnanswerable }
    : undefined;
}
