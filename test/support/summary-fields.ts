/** What the JSON of a summary in a prompt may hold, `minutes` apart: only records with room for them have some. */
export const summaryFields: ReadonlySet<string> = new Set([
  'summary',
  'keyPoints',
  'participants',
  'decisions',
  'actionItems',
  'unresolved',
  'domainEntities',
  'constraints',
  'constraintsLeftOut',
  'endedConstraints',
  'userWords',
]);
