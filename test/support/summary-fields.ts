/** What the JSON of a summary in a prompt may hold. */
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
  'minutes',
]);
