import { isObject } from '../../../util/is-object.ts';
import type { Fields } from '../../formats/message-reader.ts';
import { datedSession, referenceOf, type Said } from './dated-session.ts';
import type { EvalConversation } from './eval-conversation.ts';

/**
 * Reads a question of LongMemEval (Wu et al. 2025, https://arxiv.org/abs/2410.10813) with its history of sessions;
 * `undefined` where it is none.
 */
export function longMemEval(value: Fields): EvalConversation | undefined {
  const { question_id: id, question, question_type: type, question_date: date } = value;
  const { haystack_sessions: sessions, haystack_dates: dates } = value;
  const reference = referenceOf(value['answer']);
  if (typeof id !== 'string' || typeof question !== 'string' || !Array.isArray(sessions))
    return undefined;
  const read = sessions.map(saidIn);
  if (reference === undefined || !read.every((said) => said !== undefined)) return undefined;
  const asked = typeof date === 'string' ? `Today is ${date}. ${question}` : question;
  const isUnanswerable = id.endsWith('_abs');
  return {
    name: id,
    prompt: read.flatMap((said, index) =>
      datedSession(said, Array.isArray(dates) ? dates[index] : undefined),
    ),
    questions: [
      {
        id,
        question: asked,
        reference,
        type: typeof type === 'string' ? type : '',
        isUnanswerable,
      },
    ],
  };
}

function saidIn(session: unknown): readonly Said[] | undefined {
  if (!Array.isArray(session)) return undefined;
  const said: Said[] = [];
  for (const turn of session) {
    if (!isObject(turn) || typeof turn['content'] !== 'string') return undefined;
    const { role, content: text } = turn;
    if (role !== 'user' && role !== 'assistant') return undefined;
    said.push({ role, text });
  }
  return said;
}
