/** AI SDK 6 under the names of AI SDK 7, so that one set of tests runs against both. */
import * as older from 'ai-6';

export * from 'ai-6';
export { stepCountIs as isStepCount } from 'ai-6';

type Current<Call extends (options: never) => unknown> = (
  options: Parameters<Call>[0] & { readonly instructions?: string; readonly telemetry?: object },
) => ReturnType<Call>;

export const generateText: Current<typeof older.generateText> = (options) =>
  older.generateText(olderNames(options));

export const streamText: Current<typeof older.streamText> = (options) => {
  const result = older.streamText(olderNames(options));
  return Object.defineProperty(result, 'stream', { get: () => result.fullStream });
};

export const generateObject: Current<typeof older.generateObject> = (options) =>
  older.generateObject(olderNames(options));

export const streamObject: Current<typeof older.streamObject> = (options) =>
  older.streamObject(olderNames(options));

const names = new Map([
  ['instructions', 'system'],
  ['telemetry', 'experimental_telemetry'],
  ['onEnd', 'onFinish'],
  ['onStepEnd', 'onStepFinish'],
]);

function olderNames<Options extends object>(options: Options): Options {
  const entries = Object.entries(options).map(([name, value]) => [names.get(name) ?? name, value]);
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}
