import type { ContextOverflow } from '../overflow/context-overflow.ts';
import { believableOverflow, learnLimit } from '../overflow/learn-limit.ts';
import { reportCall } from '../report/report-call.ts';
import type { SentCall } from './sent-call.ts';
import type { ShortenedCall } from './shorten-call.ts';

/** The provider took the shortened call: says so, and keeps to its size from now on. */
export function acceptedAgain(shortened: ShortenedCall): SentCall {
  const { call, tokens, shortening, learned } = shortened;
  rememberLimit(shortened);
  call.emit({
    type: 'recovered',
    reason: 'provider-overflow',
    ...shortening,
    learnedContextLength: learned && call.policy.contextLength,
  });
  return { ...call, report: reportCall({ ...call, tokens }) };
}

/**
 * The provider refused the shortened call too: its word stands. When it was too long again, the next call
 * begins below its size; a limit that no error states is found that way.
 */
export function refusedAgain(
  { call, tokens, learned }: ShortenedCall,
  { error, overflow }: { readonly error: unknown; readonly overflow: ContextOverflow | undefined },
): void {
  if (overflow !== undefined && overflow.isUnexplained !== true && learned !== undefined) {
    const { maxOutputTokens } = call.params;
    const acceptedTokens = call.memory.limits.accepted(call.modelKey);
    const refused = { sentTokens: tokens, maxOutputTokens, acceptedTokens };
    const believed = believableOverflow(overflow, refused);
    rememberLimit({
      call,
      learned: learnLimit(believed, refused),
      evidence: believed.limit === undefined ? 'refused' : 'stated',
      shortening: { tokensBefore: tokens },
    });
  }
  const reason = 'the provider refused the shortened prompt too';
  call.emit({ type: 'failed', stage: 'recover', reason, error });
}

/** Keeps what a refusal taught about a call's model, and says so when it is news. */
export function rememberLimit({
  call,
  learned,
  evidence,
  shortening: { tokensBefore: refusedTokens },
}: Pick<ShortenedCall, 'call' | 'learned' | 'evidence'> & {
  readonly shortening: Pick<ShortenedCall['shortening'], 'tokensBefore'>;
}): void {
  if (learned === undefined) return;
  const { memory, modelKey, emit } = call;
  const news = memory.limits.remember(modelKey, learned, { evidence, refusedTokens });
  if (news !== undefined) emit({ type: 'limit-learned', ...news });
}
