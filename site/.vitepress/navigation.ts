import { readFileSync } from 'node:fs';

/** The root of the repository, which pages are named from. */
export const root: URL = new URL('../../', import.meta.url);

/** Where the site stands on its host: `SITE_BASE`, which begins and ends with a slash. */
export const base: string = process.env['SITE_BASE'] ?? '/';

/** Groups of pages in the order of the site, with what each page is about. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    'README.md':
      'What the package does, how to install it, what you can rely on, its limits and entries.',
    'docs/quick-start.md': 'Next.js with useChat, Hono, Express, edge runtimes, an agent.',
    'docs/how-it-works.md':
      'What happens to a call, when it acts, and what a summary looks like in a prompt.',
    'docs/tasks.md': 'Which options to set for which purpose.',
    'docs/faq.md':
      'Gateway strings, cold starts, Redis time-outs, sliding windows, strict TypeScript, and why nothing happens.',
    'docs/migrating.md': 'Coming from pruneMessages, LangChain, Mastra or context-chef.',
  },
  'How to': {
    'docs/serverless.md': 'Wrap once, a namespace for each call, a store, work behind the answer.',
    'docs/stores.md': 'SQLite, Redis, Postgres and others; tenants, secrets, erasing.',
    'docs/waiting.md': 'How long a call waits for a summary, and how it waits not at all.',
    'docs/background.md': 'Queues and workers: BullMQ, pg-boss, Inngest, workflows.',
    'docs/native-compaction.md': "Leave it to the provider's own compaction, or not.",
    'docs/handoff.md': 'A record at the beginning of another conversation.',
    'docs/recall.md': 'Keep the originals, search them, read them, undo a summary.',
    'docs/steering.md': 'Summarise now, pin, prioritise, carry facts of your own.',
    'docs/prompts.md': 'What a summarising model is instructed with and reads.',
    'docs/templates.md': 'Prompts in Markdown files, with versions and examples.',
    'docs/settings.md': 'Options in a settings.json for operators.',
    'docs/extractors.md': 'What becomes of tool calls without a model; extractors of your own.',
    'docs/custom-strategies.md': 'Write summaries in a way of your own, and check it.',
    'docs/ui.md': 'Data parts, metadata and React parts that show summaries on a page.',
    'docs/testing.md': 'Test an agent, a store or a strategy offline.',
    'docs/inspect.md': 'The command that plays a conversation again and shows what would happen.',
    'docs/texts.md': 'Summaries of any text, in levels.',
    'docs/summary-trees.md': 'Summaries in Markdown files or Chroma, for people and search.',
  },
  Reference: {
    'docs/options.md': 'All options with defaults.',
    'docs/functions.md': 'All entries and functions.',
    'docs/events.md': 'What onEvent is told, and why a call is summarised or not.',
    'docs/telemetry.md': 'Spans and metrics of OpenTelemetry.',
    'docs/strategies.md': 'What rules and models write, with examples and figures.',
    'docs/errors.md': 'Every error and warning by its text, and what to do.',
    'docs/composition.md': 'Agents, workflows, registries, caches, AI SDK 6.',
    'docs/hosts.md': 'A line for each host that keeps the history itself.',
    'docs/middlewares.md': "The order with the AI SDK's own middlewares.",
  },
  Background: {
    'docs/models.md':
      'What is asked of a summarising model, and what sixty turns with seventeen servers cost.',
    'docs/costs.md': 'Prices, prompt caches, and when a summary pays.',
    'docs/benchmarks.md': 'Time, token counts and load, and how to measure again.',
    'docs/security.md': 'What is trusted, guaranteed, best effort and impossible.',
    'SECURITY.md': 'How to report, and how hard we looked.',
    'bench/README.md': 'How each benchmark measures.',
    'examples/next-app/README.md': 'A chat with Next.js, to copy from.',
    'examples/hono-redis/README.md': 'A chat server on Hono and Redis, to copy from.',
    'examples/express-postgres/README.md': 'A chat server on Express and Postgres, to copy from.',
    'examples/edge/README.md': 'A chat without Node, to copy from.',
    'examples/durable/README.md': 'An agent in a durable workflow, to copy from.',
    'examples/worker/README.md': 'Summaries from BullMQ, to copy from.',
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
