/** Holds the conversation of the first screen when the server starts, so that no visitor waits for it. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { sideBySide } = await import('./lib/side-by-side.ts');
  void sideBySide();
}
