import { escapeJson } from '../../json/escape-json.ts';
import { cutMiddle } from '../../tokens/text/cut-middle.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';

/** Characters of a tool's input or output that the summariser reads, half of them from the end. */
const toolTextCharacters = 2000;

/** Caps the text of a tool's input or output at 2,000 characters, head and tail; other parts stay whole. */
export function capPart(part: TranscriptPart): TranscriptPart {
  if (part.kind === 'text') return part;
  const cut = cutMiddle(part.text, toolTextCharacters, {
    headFraction: 0.5,
    tailFraction: 0.5,
  });
  return { ...part, text: cut.text, omittedCharacters: cut.removedChars };
}

/**
 * Writes parts as one JSON array: `{"i":0,"role":"user","text":"..."}`, an assistant's tool calls as
 * `"calls":[{"name":"...","input":"..."}]`, a tool's result with its `"name"`.
 */
export function renderTranscript(parts: readonly TranscriptPart[]): string {
  const entries: TranscriptEntry[] = [];
  for (const part of parts) {
    const last = entries.at(-1);
    // A tool's result never shares an entry: its text must not be taken for the assistant's own.
    const joins =
      last?.i === part.index &&
      last.role === part.role &&
      last.name === undefined &&
      part.kind !== 'result';
    const name = part.kind === 'result' ? { name: part.name } : {};
    const entry: TranscriptEntry = joins ? last : { i: part.index, role: part.role, ...name };
    if (!joins) entries.push(entry);
    if (part.kind === 'call') (entry.calls ??= []).push({ name: part.name, input: part.text });
    else entry.text = entry.text === undefined ? part.text : `${entry.text}\n${part.text}`;
  }
  return escapeJson(entries);
}

interface TranscriptEntry {
  readonly i: number;
  readonly role: string;
  readonly name?: string | undefined;
  text?: string;
  calls?: { readonly name: string | undefined; readonly input: string }[];
}
