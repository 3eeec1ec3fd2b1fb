import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { base } from './navigation.ts';

/**
 * Follows every link and picture of the built pages, headings too, and of their Markdown.
 * @throws `Error` that names those which lead nowhere.
 */
export function checkLinks(folder: string): void {
  const broken = globSync('**/*.{html,md,txt}', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return targetsIn(file, text)
      .filter((target) => !/^(?:[a-z]+:|\/\/)/.test(target))
      .filter((target) => !leadsSomewhere(folder, file, target))
      .map((target) => `${file}: ${target}`);
  });
  if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`);
}

function targetsIn(file: string, text: string): string[] {
  const pattern = file.endsWith('.html') ? /(?:href|src)="([^"]+)"/g : /\]\(([^)\s]+)\)/g;
  const read = file.endsWith('.html') ? text : text.replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...read.matchAll(pattern)].map(([, target = '']) => target.replaceAll('&amp;', '&'));
}

function leadsSomewhere(folder: string, from: string, target: string): boolean {
  const [place = '', heading = ''] = target.split('#');
  const to = place.startsWith(base)
    ? place.slice(base.length)
    : path.join(place === '' ? from : path.dirname(from), place);
  const found = [to, `${to}.html`, path.join(to, 'index.html')]
    .map((candidate) => path.join(folder, candidate))
    .find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
  if (found === undefined) return false;
  if (heading === '' || !found.endsWith('.html')) return true;
  return readFileSync(found, 'utf8').includes(`id="${decodeURIComponent(heading)}"`);
}
