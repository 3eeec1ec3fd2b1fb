import type { LanguageModelV4 } from '@ai-sdk/provider';
import { redactionDoor } from '../cleaning/redaction-door.ts';
import { providerOptionsKey } from '../prompt/own-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { callReporter } from '../report/call-reporter.ts';
import { storeReport } from '../report/store-report.ts';
import { processCopyOf } from '../state/process-copy.ts';
import { guardedStore, sealedStore } from '../stores/sealed-store.ts';
import { storeKeyring } from '../stores/store-keys.ts';
import type { CallContext, MiddlewareContext } from './reading/call-context.ts';
import { costOfUsage } from './note-answer.ts';
import { memoryScope } from './reading/process-memory.ts';

/** Most milliseconds a call waits for what other processes have learned of its model. */
const learnedTimeoutMs = 250;

/** Adds what is known of one call. */
export function callContext(
  context: MiddlewareContext,
  model: LanguageModelV4,
  params: CallOptions,
): CallContext {
  const { options, givenStore, secret, memory } = context;
  const own = params.providerOptions?.[providerOptionsKey];
  const id = own?.['conversationId'];
  const ofCall = own?.['namespace'];
  const namespace = typeof ofCall === 'string' ? ofCall : (options.namespace ?? '');
  const call = {
    provider: model.provider,
    modelId: model.modelId,
    ...(typeof id === 'string' ? { conversationId: toldId(options, id) } : {}),
  };
  const scope = memoryScope(givenStore, secret, namespace);
  const modelKey = JSON.stringify([scope, model.provider, model.modelId]);
  const reporter = callReporter(context.sink, call, { memory, modelKey });
  const { warn } = reporter;
  const { bill, emit } = billing(context, model, reporter.emit);
  const store = guardedStore(givenStore)(storeReport({ emit, warn }));
  const keyring = storeKeyring({ secret, namespace, encrypt: options.encrypt });
  const copy = processCopyOf(givenStore);
  const timeoutMs = Math.min(learnedTimeoutMs, context.times.storeTimeoutMs);
  const learned = sealedStore(store, keyring[0], { timeoutMs });
  return {
    ...context,
    store,
    copy,
    namespace,
    keyring,
    learned,
    model,
    modelKey,
    bill,
    emit,
    warn,
  };
}

/** An id as events say it. */
function toldId({ redact }: CallContext['options'], id: string): string {
  return redact === undefined ? id : redactionDoor(redact)(id);
}

/** Adds up what summaries bill, for the call and for the middleware. */
function billing(
  { options, figures }: MiddlewareContext,
  model: LanguageModelV4,
  emit: CallContext['emit'],
): Pick<CallContext, 'bill' | 'emit'> {
  const bill = { calls: 0, inputTokens: 0, outputTokens: 0 };
  return {
    bill,
    emit: (event) => {
      if ('usage' in event && event.usage !== undefined) {
        figures.spent(event.usage, costOfUsage(options, model, event.usage));
        bill.inputTokens += event.usage.inputTokens;
        bill.outputTokens += event.usage.outputTokens;
      }
      emit(event);
    },
  };
}
