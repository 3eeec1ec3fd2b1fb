import { sqliteStore } from 'ai-sdk-summarization/sqlite';
import { dataPath, secretFor } from './app-data.ts';

/** Where summaries are kept, for whom, and under which seal. */
export interface SummaryState {
  readonly store: ReturnType<typeof sqliteStore>;
  readonly secret: string;
  readonly namespace: string;
}

let store: SummaryState['store'] | undefined;

/** The state of an owner's summaries. The store is shared by all requests, unlike the middleware. */
export function summaryState(owner: string): SummaryState {
  store ??= sqliteStore({ path: dataPath('summaries.db') });
  return { store, secret: secretFor('summaries'), namespace: owner };
}
