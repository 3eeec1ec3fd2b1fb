export { callContext } from './call-context.ts';
export { prepareCall } from './prepare-call.ts';
export { generateWithRetry, streamWithRetry } from '../retry/overflow-retry.ts';
