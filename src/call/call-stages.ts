export { callContextOf } from './call-context-of.ts';
export { prepareCall } from './prepare-call.ts';
export { generateWithRetry, streamWithRetry } from '../retry/overflow-retry.ts';
