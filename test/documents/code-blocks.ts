/** A block of TypeScript in a document, with what it takes for granted. */
export interface CodeBlock {
  /** Line of the document on which the code begins, from 1. */
  readonly line: number;
  /** Ending of a file with such code. */
  readonly language: 'ts' | 'tsx';
  /** A module with the code on the lines that it has in the document. */
  readonly source: string;
}

/**
 * The TypeScript blocks of a Markdown document. A comment `<!-- assumes … -->` before a block declares
 * what surrounds it in a program, without being shown.
 */
export function codeBlocks(document: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let assumed: string[] = [];
  let open: 'assumes' | CodeBlock['language'] | 'other' | undefined;
  let begin = 0;
  document.split('\n').forEach((line, index, lines) => {
    if (open === undefined) {
      const fence = /^```(\w*)/.exec(line);
      if (line === '<!-- assumes') open = 'assumes';
      else if (fence) {
        open = fence[1] === 'ts' || fence[1] === 'tsx' ? fence[1] : 'other';
        begin = index + 1;
      } else if (line.trim() !== '') assumed = [];
    } else if (open === 'assumes') {
      if (line === '-->') open = undefined;
      else assumed[index] = line;
    } else if (line === '```') {
      if (open !== 'other') {
        const code = Array.from(lines.slice(0, index), (text, at) =>
          at >= begin ? text : (assumed[at] ?? ''),
        );
        blocks.push({
          line: begin + 1,
          language: open,
          source: `${code.join('\n')}\nexport {};\n`,
        });
      }
      assumed = [];
      open = undefined;
    }
  });
  return blocks;
}
