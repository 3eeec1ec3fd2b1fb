import { providerOptionsKey } from './provider-options-key.ts';

interface Markable {
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** What has lost its mark on the way to a provider, which must not see it, and is still known by it. */
const marked = new WeakSet<object>();

/**
 * Whether the application has marked a message, or a part of one, as not the user's own words:
 * `providerOptions: { summarization: { source: 'document' } }`.
 */
export function isDocument(given: Markable): boolean {
  const own: unknown = given.providerOptions?.[providerOptionsKey];
  return marked.has(given) || Object(own).source === 'document';
}

/** The same without the package's own options, by reference where there are none; what was a document stays one. */
export function withoutOwnMark<Given extends object>(given: Given): Given {
  const { providerOptions }: Markable = given;
  if (providerOptions?.[providerOptionsKey] === undefined) return given;
  const { [providerOptionsKey]: _own, ...others } = providerOptions;
  return markedAs(given, { ...given, providerOptions: others });
}

/** A copy of something, a document if that is one. */
export function markedAs<Copy extends object>(given: object, copy: Copy): Copy {
  if (isDocument(given)) marked.add(copy);
  return copy;
}
