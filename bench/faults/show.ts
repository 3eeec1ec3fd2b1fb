import type { Claim } from './fake-summariser.ts';

/** Prints single claims where `FAULTS_SHOW` asks for them. */
export function showOf(isShown: boolean, what: string, { field, text, citing }: Claim): void {
  if (isShown && process.env['FAULTS_SHOW'] !== undefined)
    console.log(`  ${what}, ${field}: ${text} <- ${citing}`);
}
