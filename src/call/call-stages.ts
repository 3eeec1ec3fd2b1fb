export { prepareCall } from './prepare-call.ts';
export { recoverGenerate, recoverStream } from '../retry/recover-call.ts';
