import { transformSync } from 'esbuild';

/** Whether a text is TypeScript, whatever its types. */
export function isProgram(content: string): boolean {
  try {
    transformSync(content, { loader: 'ts', logLevel: 'silent' });
    return true;
  } catch {
    return false;
  }
}
