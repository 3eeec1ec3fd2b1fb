import type { FittedCall } from '../fitting/fit-prompt.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import { triggerTokens } from '../planning/decide.ts';
import { reportCall } from '../report/report-call.ts';
import type { SentCall } from '../retry/sent-call.ts';
import { noteAnswer } from './note-answer.ts';
import type { CallContext } from './reading/call-context.ts';
import type { PlannedCall } from './reading/read-call.ts';

/** Reports a call that is ready to be sent, and keeps what is needed when the provider answers or refuses. */
export function sentCallOf(
  context: CallContext,
  call: PlannedCall,
  { prompt, composition, tokens, counted }: Omit<FittedCall, 'shortening'>,
): SentCall {
  const { options, model, modelKey, memory, standing, toolResults, bill, emit, warn } = context;
  const { params, policy, view, style, state, scan, size, calibration, cost } = call;
  const sent = prompt === params.prompt ? params : { ...params, prompt };
  return {
    params: sent,
    model,
    modelKey,
    memory,
    standing,
    calibration,
    scan,
    size,
    counted: { prompt, tokens: counted },
    view,
    style,
    policy,
    policyAfter: (learned) => resolvePolicy(options, model, params, learned),
    toolResults,
    keyOf: state.keyOf,
    composition,
    onUsage: (usage) => {
      cost?.noteUse(usage);
      const recordId = prompt === composition?.prompt ? composition.record.id : undefined;
      void noteAnswer(context, { given: params, sent, recordId }, usage);
    },
    emit,
    warn,
    bill,
    report: reportCall({ emit, memory, modelKey, model, view, policy, composition, tokens, bill }),
    isServerManaged: call.decision.reason === 'server-managed',
    isNearCounting: isNearCounting(call),
  };
}

/** Share of the trigger from which one of the next calls may have to be counted. */
const nearCountingShare = 0.5;

/** Whether a prompt nears the size from which prompts are counted: a token a byte where no usage is known. */
function isNearCounting({ decision, size, scan, policy, tokens }: PlannedCall): boolean {
  if (decision.reason !== 'below-trigger' || size.tokenizer !== 'unused') return false;
  const most = size.measuredBy === 'bound' ? Math.max(tokens, scan.characters) : tokens;
  return most >= nearCountingShare * triggerTokens(policy.limit, policy);
}
