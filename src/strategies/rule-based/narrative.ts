import type { SourceText } from './texts/source-texts.ts';
import { tidy } from '../tidy.ts';
import type { TextWindow } from './terms/window-candidates.ts';

/** Writes chosen windows in the order of the conversation, one line for each text. */
export function narrativeLines(
  texts: readonly SourceText[],
  windows: readonly TextWindow[],
): readonly { readonly source: number; readonly text: string }[] {
  const bySource = new Map<number, TextWindow[]>();
  for (const window of windows) {
    const list = bySource.get(window.source);
    if (list === undefined) bySource.set(window.source, [window]);
    else list.push(window);
  }
  return [...bySource.entries()]
    .toSorted(([left], [right]) => left - right)
    .map(([source, list]) => ({ source, text: joined(texts[source]?.text ?? '', list) }));
}

/** Gaps below this are shown: leaving them out would cost as much. */
const smallGap = 4;

function joined(text: string, windows: readonly TextWindow[]): string {
  const pieces: string[] = [];
  let start = -1;
  let end = -1;
  const flush = (): void => {
    if (end > start) pieces.push(tidy(text.slice(start, end)));
  };
  for (const window of windows.toSorted((left, right) => left.start - right.start)) {
    if (end >= 0 && window.start <= end + smallGap) {
      end = Math.max(end, window.end);
      continue;
    }
    flush();
    ({ start, end } = window);
  }
  flush();
  return pieces.filter((piece) => piece !== '').join(' … ');
}
