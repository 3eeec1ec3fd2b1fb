import { providerOptionsKey } from './provider-options-key.ts';

interface Markable {
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Stays on what has lost its options on the way to a provider, which must not see them. Copies keep it, no JSON holds
 * it, and copies of the package know each other's.
 */
const documentMark = Symbol.for('ai-sdk-summarization.document');

/**
 * Whether the application has marked a message, or a part of one, as not the user's own words:
 * `providerOptions: { summarization: { source: 'document' } }`.
 */
export function isDocument(given: Markable): boolean {
  const own: unknown = given.providerOptions?.[providerOptionsKey];
  return Object(own).source === 'document' || Reflect.get(given, documentMark) === true;
}

/** The same without the package's own options, by reference where there are none; what was a document stays one. */
export function withoutOwnMark<Given extends object>(given: Given): Given {
  const { providerOptions }: Markable = given;
  if (providerOptions?.[providerOptionsKey] === undefined) return given;
  const { [providerOptionsKey]: _own, ...others } = providerOptions;
  const mark = isDocument(given) ? { [documentMark]: true } : {};
  return { ...given, ...mark, providerOptions: others };
}
