import type { StoreReport } from '../stores/sealed-store.ts';
import type { CallReporter } from './call-reporter.ts';

/** Tells, in the words of one call, what becomes of the store. */
export function storeReport({ emit, warn }: CallReporter): StoreReport {
  return {
    onFault: (error) => emit({ type: 'failed', stage: 'store', reason: 'the store failed', error }),
    onOutage: () => {
      emit({ type: 'store-outage', isOver: false });
      warn({
        code: 'state-not-shared',
        cause: 'store',
        message:
          'The store has failed three times in a row; it is asked ever more rarely, down to once a minute. Until it answers again, what this process knows is not shared with others, who may pay for the same summaries.',
      });
    },
    onRecovery: () => emit({ type: 'store-outage', isOver: true }),
  };
}
