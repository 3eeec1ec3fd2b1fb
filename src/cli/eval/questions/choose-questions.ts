import { sha256Hex } from '../../../hash/sha256-hex.ts';
import type { EvalConversation } from './eval-conversation.ts';

/** So many of the questions, spread over all by a hash: always the same, and of more questions these too. */
export async function chooseQuestions(
  conversations: readonly EvalConversation[],
  most: number | undefined,
): Promise<readonly EvalConversation[]> {
  const all = await Promise.all(
    conversations
      .flatMap(({ questions }) => questions)
      .map(async (question) => ({
        question,
        hash: await sha256Hex(question.id + question.question),
      })),
  );
  const chosen = new Set(
    all
      .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
      .slice(0, most)
      .map(({ question }) => question),
  );
  return conversations
    .map((conversation) => ({
      ...conversation,
      questions: conversation.questions.filter((question) => chosen.has(question)),
    }))
    .filter(({ questions }) => questions.length > 0);
}
