import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { base, navigation, pages, root, siteFile, type Page } from './navigation.ts';

/**
 * Writes each page as Markdown beside its HTML, with the files that it links to; `llms.txt`, the list of pages;
 * and `llms-full.txt`, all of them in one.
 */
export function writeMarkdown(folder: string): void {
  const place = (file: string): string => {
    const placed = path.join(folder, file);
    mkdirSync(path.dirname(placed), { recursive: true });
    return placed;
  };
  const texts = pages.map((page) => {
    const { text, files } = forReaders(page);
    writeFileSync(place(siteFile(page.file)), text);
    for (const file of files) copyFileSync(new URL(file, root), place(siteFile(file)));
    return text;
  });
  writeFileSync(place('llms.txt'), list());
  writeFileSync(place('llms-full.txt'), texts.join('\n'));
}

/** The page with links that hold wherever its text is read, and the files among them that are no pages. */
function forReaders({ file, markdown }: Page): { text: string; files: readonly string[] } {
  const files: string[] = [];
  const link = (_: string, target: string, heading = ''): string => {
    const linked = path.join(path.dirname(file), target);
    if (!/(?:\.md|\/)$/.test(linked)) files.push(linked);
    return `](${base}${siteFile(linked)}${heading})`;
  };
  const text = markdown
    .split(/^(```[\s\S]*?^```)/m)
    .map((piece, index) =>
      index % 2 ? piece : piece.replaceAll(/\]\(([^)\s:#]+)(#[^)\s]+)?\)/g, link),
    )
    .join('');
  return { text, files };
}

function list(): string {
  const [, title, summary] = /^# (.+)\n\n(.+)$/m.exec(pages[0]?.markdown ?? '') ?? [];
  const groups = navigation.map(({ group, members }) => {
    const lines = members.map(
      (page) => `- [${page.title}](${base}${siteFile(page.file)}): ${page.description}`,
    );
    return `## ${group}\n\n${lines.join('\n')}\n`;
  });
  return `# ${title}\n\n> ${summary}\n\n[All pages in one file](${base}llms-full.txt)\n\n${groups.join('\n')}`;
}
