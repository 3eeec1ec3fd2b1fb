export { recallTool } from './recall-tool.ts';
export type { RecallInput, RecallOutput, RecallToolOptions } from './recall-tool-options.ts';
