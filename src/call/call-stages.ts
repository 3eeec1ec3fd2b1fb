export { callContext } from './call-context.ts';
export { prepareGivenCall as prepareCall } from './prepare-given-call.ts';
export { generateWithRetry, streamWithRetry } from '../retry/overflow-retry.ts';
