import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { singleFlight, type SingleFlight } from './single-flight.ts';

const flightsByStore = new WeakMap<SummaryStore, SingleFlight<StoredSummary>>();

/**
 * The summaries of a store that are being written: middlewares made anew for each request find what the one
 * before has begun.
 */
export function flightsOf(store: SummaryStore): SingleFlight<StoredSummary> {
  const flights = flightsByStore.get(store) ?? singleFlight();
  flightsByStore.set(store, flights);
  return flights;
}
