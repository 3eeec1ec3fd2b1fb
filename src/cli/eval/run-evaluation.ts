import { sha256Hex } from '../../hash/sha256-hex.ts';
import { runLimited } from '../../util/async/waiting.ts';
import { askQuestions, type Strand } from './ask-questions.ts';
import { attemptsWithin } from './attempts.ts';
import type { StrandFindings } from './findings.ts';
import type { EvalConversation } from './questions/eval-conversation.ts';
import type { Setting } from './setting.ts';

/**
 * Asks every question with every method as often as asked for, what the journal holds aside.
 *
 * @throws {CommandError} where a provider takes neither key nor model.
 */
export async function runEvaluation(
  conversations: readonly EvalConversation[],
  setting: Setting,
): Promise<readonly StrandFindings[]> {
  const { runs, methods, concurrency } = setting.given;
  const digests = await Promise.all(
    conversations.map(async ({ prompt }) => sha256Hex(JSON.stringify(prompt))),
  );
  // All methods of a conversation before the next one: what a stop leaves can be compared.
  const strands = Array.from({ length: runs }, (_, run) =>
    conversations.flatMap((conversation, index) =>
      methods.map((method): Strand => {
        return { conversation, digest: digests[index] ?? '', method, run: run + 1 };
      }),
    ),
  ).flat();
  const attempt = attemptsWithin(setting.budget);
  return runLimited(strands, concurrency, (strand) => askQuestions(strand, setting, attempt));
}
