import type { ContextOverflow } from '../overflow/context-overflow.ts';
import { believableOverflow } from '../overflow/believable-overflow.ts';
import { learnLimit } from '../overflow/learn-limit.ts';
import { rememberLimit } from './remember-limit.ts';
import { reportCall, type SentCall } from '../report/report-call.ts';
import type { ShortenedCall } from './shorten-call.ts';

/** The provider took the shortened call: says so, and keeps to its size from now on. */
export function acceptedAgain(call: SentCall, shortened: ShortenedCall): SentCall {
  const { context } = call;
  const { inspection, composition, tokens, recovery, learned, isStated } = shortened;
  if (learned !== undefined)
    rememberLimit(context, learned, { refusedTokens: recovery.tokensBefore, isStated });
  context.emitForCall({
    type: 'recovered',
    reason: 'provider-overflow',
    ...recovery,
    learnedContextLength: learned && inspection.policy.contextLength,
  });
  const report = reportCall(context, inspection, composition, tokens);
  const counted = { prompt: shortened.params.prompt, tokens: shortened.counted };
  return { ...call, inspection, composition, report, counted };
}

/**
 * The provider refused the shortened call too: its word stands. When it was too long again, the next call
 * begins below its size; a limit that no error states is found that way.
 */
export function refusedAgain(
  call: SentCall,
  { params, tokens, learned }: ShortenedCall,
  refusal: { readonly error: unknown; readonly overflow: ContextOverflow | undefined },
): SentCall {
  const { context } = call;
  const { error, overflow } = refusal;
  if (overflow !== undefined && overflow.isUnexplained !== true && learned !== undefined) {
    const { maxOutputTokens } = params;
    const acceptedTokens = context.memory.limits.accepted(context.modelKey);
    const refused = { sentTokens: tokens, maxOutputTokens, acceptedTokens };
    const believed = believableOverflow(overflow, refused);
    rememberLimit(context, learnLimit(believed, refused), {
      refusedTokens: tokens,
      isStated: believed.limit !== undefined,
    });
  }
  const reason = 'the provider refused the shortened prompt too';
  context.emitForCall({ type: 'failed', stage: 'recover', reason, error });
  return call;
}
