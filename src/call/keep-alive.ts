import type { CallContext } from './reading/call-context.ts';

/**
 * Gives work that goes on beside a call to the `background` function of the caller, if there is one. A function that
 * throws or rejects costs the call nothing.
 */
export function keepAlive(
  { options: { background }, emit }: Pick<CallContext, 'options' | 'emit'>,
  work: Promise<void>,
): void {
  if (typeof background !== 'function') return;
  const run = async (): Promise<void> => {
    try {
      const given: unknown = background(work);
      // Nothing says that it is not an async function.
      await Promise.resolve(given);
    } catch (error) {
      emit({ type: 'failed', stage: 'background', reason: 'the background function threw', error });
    }
  };
  void run();
}
