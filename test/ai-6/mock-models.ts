/** What stands for `ai/test` where the tests run against AI SDK 6: its model under the name of AI SDK 7's. */
export { MockLanguageModelV3 as MockLanguageModelV4 } from 'ai-6/test';
export * from 'ai-6/test';
