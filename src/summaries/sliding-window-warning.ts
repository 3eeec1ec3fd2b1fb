import type { CallWarning } from '../report/call-reporter.ts';

/** What to tell whose conversations are found to be windows. */
export const slidingWindowWarning: CallWarning = {
  code: 'sliding-window',
  cause: 'history',
  message:
    'A conversation begins with messages from the middle of one that was summarised before: the client seems to ' +
    'send only the last messages of its history, so that every request may pay for a summary of its own. Pass ' +
    'providerOptions.summarization.conversationId, an id that the application has authorised, or send the whole ' +
    'history.',
};
