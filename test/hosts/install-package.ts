import { cpSync, rmSync } from 'node:fs';

/** Puts the built package where each host finds it beside its own version of the AI SDK, as an installation does. */
export default function installPackage(): void {
  for (const folder of ['.', 'sdk-6']) {
    const place = new URL(`${folder}/node_modules/ai-sdk-summarization/`, import.meta.url);
    rmSync(place, { recursive: true, force: true });
    for (const part of ['dist', 'package.json'])
      cpSync(new URL(`../../${part}`, import.meta.url), new URL(part, place), { recursive: true });
  }
}
