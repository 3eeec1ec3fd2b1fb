import { readFileSync } from 'node:fs';

/** The root of the repository, which pages are named from. */
export const root: URL = new URL('../../', import.meta.url);

/** Where the site stands on its host: `SITE_BASE`, which begins and ends with a slash. */
export const base: string = process.env['SITE_BASE'] ?? '/';

/** Groups of pages in the order of the site, with what each page is about. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Documents: {
    'README.md':
      'What the package does, how to install it, what you can rely on, and where to read on.',
    'docs/start.md':
      'Next.js with useChat, Hono, Express, an agent, a local model, the gateway, coming from others.',
    'docs/how-it-works.md':
      'What happens to a call, when it acts, what stands in a record, and who waits.',
    'docs/deploy.md':
      'Serverless, edge, Workers, Redis, Postgres and other stores, work behind the answer, queues.',
    'docs/users-data.md':
      'Erase a user, retention, tenants, secrets, encryption, originals, recall, undo, trust.',
    'docs/show-it.md': 'A context meter and summaries on a page, in one line or with parts.',
    'docs/tune.md': 'All options by what they are for, options of one call, all functions.',
    'docs/hosts.md':
      'Mastra, OpenAI Agents, VoltAgent, durable agents, other middlewares, AI SDK 6.',
    'docs/write-your-own.md': 'Strategies, stores, extractors, prompts and templates, and tests.',
    'docs/when-something-is-wrong.md':
      'Why nothing happens, events, inspect, telemetry, every error and warning by its text.',
    'docs/costs.md': 'Prices, prompt caches, when a summary pays, and what was measured.',
  },
  Examples: {
    'examples/next-minimal/README.md': 'The least that a chat with Next.js is, to copy.',
    'examples/next-app/README.md': 'A chat with Next.js that shows all there is.',
    'examples/hono-redis/README.md':
      'A chat server on Hono and Redis, and what differs with Express, Postgres and on the edge.',
    'examples/durable/README.md': 'An agent in a durable workflow, to copy from.',
    'examples/worker/README.md': 'Summaries from BullMQ, to copy from.',
  },
  Project: {
    'SECURITY.md': 'How to report, what counts and what does not.',
    'test/README.md': 'What is tested, and by which command.',
    'bench/README.md': 'How each benchmark measures.',
    'bench/results.md': 'What the benchmarks measured last, with date, commit and machine.',
    'CONTRIBUTING.md': 'The rooms of the source, words, commands.',
    'CODE_OF_CONDUCT.md': 'How people treat each other here.',
    'CHANGELOG.md': 'What changed.',
  },
};

/** Where a page's first heading would not tell it from the others. */
const titles: Readonly<Record<string, string>> = {
  'README.md': 'Overview',
  'SECURITY.md': 'Security policy',
  'CHANGELOG.md': 'Changes',
};

export interface Page {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  /** Its text, less what only the check of its code reads. */
  readonly markdown: string;
}

export const navigation: readonly { readonly group: string; readonly members: readonly Page[] }[] =
  Object.entries(groups).map(([group, members]) => ({
    group,
    members: Object.entries(members).map(([file, description]) => {
      const markdown = readFileSync(new URL(file, root), 'utf8').replaceAll(
        /^<!-- assumes\n[\s\S]*?^-->\n/gm,
        '',
      );
      const [, heading = file] = /^# (.+)$/m.exec(markdown) ?? [];
      return { file, title: titles[file] ?? heading, description, markdown };
    }),
  }));

export const pages: readonly Page[] = navigation.flatMap(({ members }) => members);

/** Path on the site of a file or folder of the repository: a README is the page of its folder. */
export function siteFile(file: string): string {
  if (file === 'LICENSE') return 'LICENSE.txt';
  return file.endsWith('/') ? `${file}index.md` : file.replace(/README\.md$/, 'index.md');
}
