/** Characters of the longest query. */
const maxQueryCharacters = 500;

/** What only a regular expression holds. */
const pattern = /\.[*+]|\(\?|\[\^|\][*+?{]|\\[dwsbDWSB][*+?{]|^\/.*\/[dgimsuvy]+$/u;

/** Why nothing is searched for, if so: for the model. */
export function refusedQuery(query: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(query))
    return 'Nothing was searched for: the query has no word in it. Give words that stand in the messages.';
  if (query.length > maxQueryCharacters)
    return `Nothing was searched for: the query has more than ${maxQueryCharacters} characters. Give a few words.`;
  if (pattern.test(query))
    return 'Nothing was searched for: the query looks like a pattern, and only words are searched for.';
  return undefined;
}
