/** Tells a listener; its fault is not the conversation's, whether it throws or rejects. */
export function harmlessly(work: () => unknown): void {
  try {
    Promise.resolve(work()).catch(() => {});
  } catch {}
}
