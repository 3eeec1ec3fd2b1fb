import { providerOptionsKey } from './provider-options-key.ts';

/**
 * Whether the application has marked a message, or a part of one, as not the user's own words:
 * `providerOptions: { summarization: { source: 'document' } }`.
 */
export function isDocument(marked: {
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}): boolean {
  const own: unknown = marked.providerOptions?.[providerOptionsKey];
  return Object(own).source === 'document';
}
