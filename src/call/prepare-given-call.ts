import type { CallOptions } from '../prompt/prompt-types.ts';
import { prepareCall, type PreparedCall } from './prepare-call.ts';
import type { CallContext } from './reading/call-context.ts';

/** Prepares one call of the AI SDK, of which the wrapped model says the version: see `prepareCall`. */
export async function prepareGivenCall(
  context: CallContext,
  given: CallOptions,
): Promise<PreparedCall> {
  const version: string = context.model.specificationVersion;
  if (version !== 'v3') return prepareCall(context, given);
  const { prepareOlderCall } = await import('./prepare-older-call.ts');
  return prepareOlderCall(context, given);
}
