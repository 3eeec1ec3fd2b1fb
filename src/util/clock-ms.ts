/** Milliseconds of a clock that does not go back; of the day's, where a runtime has no `performance`. */
export function clockMs(): number {
  const { performance: clock }: { readonly performance?: Performance } = globalThis;
  return clock === undefined ? Date.now() : clock.now();
}
