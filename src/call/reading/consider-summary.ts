import { integer } from '../../checks/option-rule.ts';
import type { CallFacts, Verdict } from '../../planning/plan.ts';
import { isObject } from '../../util/is-object.ts';
import { withDeadline } from '../../util/async/waiting.ts';
import type { CallContext } from './call-context.ts';

/** Milliseconds for which the application may think about a summary. */
const considerMs = 2000;

/** Asks the application about a summary, where it wants to be asked. What it cannot say counts as yes. */
export function considerSummary(
  { options, emit }: Pick<CallContext, 'options' | 'emit'>,
  abortSignal: AbortSignal | undefined,
): CallFacts['consider'] {
  const { onBeforeSummarize } = options;
  if (onBeforeSummarize === undefined) return undefined;
  return async (proposal) => {
    try {
      const ask = async (): Promise<unknown> => onBeforeSummarize(proposal);
      return readVerdict(await withDeadline(abortSignal, considerMs, ask));
    } catch (error) {
      abortSignal?.throwIfAborted();
      const reason = 'onBeforeSummarize threw, took too long or answered something else';
      emit({ type: 'failed', stage: 'onBeforeSummarize', reason, error });
      return true;
    }
  };
}

function readVerdict(answer: unknown): Verdict {
  if (answer === undefined) return true;
  if (typeof answer === 'boolean') return answer;
  const upTo = isObject(answer) ? answer['upTo'] : undefined;
  if (integer(1).accepts(upTo)) return { upTo: Number(upTo) };
  throw new TypeError(
    'onBeforeSummarize answers a boolean, nothing, or { upTo } with an integer of at least 1.',
  );
}
