/** What stands for `@ai-sdk/google` where the tests run against AI SDK 6, under the name of today's. */
export { createGoogleGenerativeAI as createGoogle } from 'google-provider-6';
