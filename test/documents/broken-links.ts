import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { slugOf } from '../../site/slug-of.ts';

/** Links of a Markdown document to files and headings that are not there. */
export function brokenLinks(file: string): string[] {
  const targets = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)];
  return targets.flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [place = '', heading] = target.split('#');
    const linked = place === '' ? file : path.join(path.dirname(file), place);
    if (!existsSync(linked)) return [target];
    return heading === undefined || headings(linked).includes(heading) ? [] : [target];
  });
}

/** Files of the source that a Markdown document names, by their place in `src/` or in the repository, and that are not there. */
export function missingFiles(file: string): string[] {
  const root = path.dirname(file);
  const named = [...readFileSync(file, 'utf8').matchAll(/(?:[a-z\d-]+\/)+[a-z\d-]+\.ts\b/g)];
  return named
    .map(([name]) => name)
    .filter(
      (name) => ![root, path.join(root, 'src')].some((at) => existsSync(path.join(at, name))),
    );
}

function headings(file: string): string[] {
  const text = withoutCode(readFileSync(file, 'utf8'));
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name);
  return [
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading)),
    ...named,
  ];
}

function withoutCode(document: string): string {
  return document.replaceAll(/^```[\s\S]*?^```/gm, '');
}
