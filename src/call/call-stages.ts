import { hasWebCrypto } from '../hash/sha256-hex.ts';
import { withoutOwnOptions } from '../options/call-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { prepareCall as prepareCurrentCall, type PreparedCall } from './prepare-call.ts';
import { warnOnConsole } from '../report/warning-memory.ts';
import type { CallContext } from './reading/call-context.ts';

export { callContext } from './call-context.ts';
export { generateCall, streamCall } from '../retry/send-call.ts';

/** Prepares one call of the AI SDK, of which the wrapped model says the version: see `prepare-call.ts`. */
export async function prepareCall(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  if (!hasWebCrypto()) return passedOver(context, given);
  const version: string = context.model.specificationVersion;
  if (version !== 'v3') return prepareCurrentCall(context, given);
  const { prepareOlderCall } = await import('./prepare-older-call.ts');
  return prepareOlderCall(context, given);
}

/** Without what conversations are recognised by, a summary would be paid for and not be kept. */
function passedOver(context: CallContext, given: CallOptions): PreparedCall {
  context.warn({
    code: 'no-web-crypto',
    cause: 'crypto',
    message:
      'crypto.subtle is missing, as on pages that come neither over https nor from localhost: conversations cannot be recognised, and nothing is summarised. Serve the page over https, or call the model on a server.',
  });
  // Nothing is added to the answer of a call that goes out as it came.
  warnOnConsole(context);
  return { params: withoutOwnOptions(given), sent: undefined };
}
