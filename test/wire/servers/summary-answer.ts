/** What the servers say to an ordinary request. */
export const plainAnswer = 'Everything is in order.';

/** What the servers say when a JSON object is asked for: a short summary. */
export const summaryAnswer: string = JSON.stringify({
  summary: 'The user had a repository inspected and its parser repaired.',
  keyPoints: ['The parser lost the last token of a line.'],
  context: {
    participants: ['user', 'assistant'],
    decisions: [],
    actionItems: [{ owner: null, task: 'Run the tests', due: null }],
    unresolved: [],
    domainEntities: [],
    constraints: [],
  },
  resolved: [],
  superseded: [],
});
