import { isObject } from '../../../util/is-object.ts';
import type { Fields } from '../../formats/message-reader.ts';
import { datedSession, referenceOf, type Said } from './dated-session.ts';
import type { EvalConversation, EvalQuestion } from './eval-conversation.ts';

/** The kinds of questions, by their numbers in the file. */
const categories = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];

/**
 * Reads a conversation of LoCoMo (Maharana et al. 2024, https://arxiv.org/abs/2402.17753) with its questions: the
 * first speaker is the user, the second one the assistant. `undefined` where it is none.
 */
export function locomo(value: Fields): EvalConversation | undefined {
  const { sample_id: id, conversation, qa } = value;
  if (!isObject(conversation) || !Array.isArray(qa)) return undefined;
  const { speaker_a: first } = conversation;
  const sessions = Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .toSorted((a, b) => Number(a) - Number(b))
    .map((number) => ({
      said: saidIn(conversation[`session_${number}`], first),
      date: conversation[`session_${number}_date_time`],
    }));
  const name = typeof id === 'string' ? id : 'conversation';
  const questions = qa.map((given: unknown, index) => questionOf(given, `${name}/${index + 1}`));
  const prompt = sessions.map(({ said, date }) => said && datedSession(said, date));
  return prompt.every((session) => session !== undefined) &&
    questions.every((question) => question !== undefined)
    ? { name, prompt: prompt.flat(), questions }
    : undefined;
}

function saidIn(session: unknown, first: unknown): readonly Said[] | undefined {
  if (!Array.isArray(session)) return undefined;
  const said: Said[] = [];
  for (const turn of session) {
    if (!isObject(turn)) return undefined;
    const { speaker, text, blip_caption: caption } = turn;
    if (typeof speaker !== 'string' || typeof text !== 'string') return undefined;
    const picture = typeof caption === 'string' ? ` [shares a picture: ${caption}]` : '';
    said.push({
      role: speaker === first ? 'user' : 'assistant',
      text: `${speaker}: ${text}${picture}`,
    });
  }
  return said;
}

function questionOf(given: unknown, id: string): EvalQuestion | undefined {
  if (!isObject(given) || typeof given['question'] !== 'string') return undefined;
  const type = categories[Number(given['category']) - 1] ?? '';
  const isUnanswerable = type === 'adversarial';
  const reference = isUnanswerable
    ? 'The conversation does not say.'
    : referenceOf(given['answer']);
  return reference === undefined
    ? undefined
    : { id, question: given['question'], reference, type, isUnanswerable };
}
