/** Milliseconds for which what is stored is kept after it was written: 30 days. */
export const retentionMs: number = 30 * 24 * 60 * 60 * 1000;
