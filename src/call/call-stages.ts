export { callContext } from './call-context.ts';
export { prepareGivenCall as prepareCall } from './prepare-given-call.ts';
export {
  generateWithRetry as generateCall,
  streamWithRetry as streamCall,
} from '../retry/placement-retry.ts';
