export { prepareCall } from './prepare-call.ts';
export { recoverGenerate, recoverStream } from './recover-call.ts';
