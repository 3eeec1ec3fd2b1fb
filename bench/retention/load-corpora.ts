import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from './make-cut.ts';

/** A file of conversations and what is measured on it. */
export interface Corpus {
  readonly name: string;
  readonly kind: 'agent' | 'chat';
  readonly conversations: readonly Conversation[];
}

const files: readonly { readonly name: string; readonly kind: Corpus['kind'] }[] = [
  { name: 'tau-bench-airline-gpt-4o', kind: 'agent' },
  { name: 'swe-agent-demos', kind: 'agent' },
  { name: 'openhands', kind: 'agent' },
  { name: 'bfcl-memory', kind: 'chat' },
];

/** Reads the corpora that a folder holds, and says on the console which are not there. */
export function loadCorpora(folder: string): readonly Corpus[] {
  return files.flatMap(({ name, kind }) => {
    const path = join(folder, `${name}.jsonl`);
    if (!existsSync(path)) {
      console.warn(`SKIPPED ${name}: ${path} is not there`);
      return [];
    }
    const lines = readFileSync(path, 'utf8').split('\n');
    const conversations = lines
      .filter((line) => line.trim() !== '')
      .map((line): Conversation => JSON.parse(line));
    return [{ name, kind, conversations }];
  });
}
