export { callContext } from './call-context.ts';
export { prepareGivenCall as prepareCall } from './prepare-given-call.ts';
export { generateCall, streamCall } from '../retry/send-call.ts';
