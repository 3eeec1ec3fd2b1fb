import { defineConfig } from 'vitepress';
import { slugOf } from '../slug-of.ts';
import { checkLinks } from './check-links.ts';
import { base, navigation, pages, siteFile } from './navigation.ts';
import { writeMarkdown } from './write-markdown.ts';

const descriptions = new Map(pages.map((page) => [page.file, page.description]));

export default defineConfig({
  title: 'ai-sdk-summarization',
  description:
    'Language-model middleware for the Vercel AI SDK: conversations that go on past the context limit.',
  base,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '..',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  // Documents of the repository that are no pages. Any other that the navigation lacks fails the build.
  srcExclude: ['{.*,findings,prompts,skills,site}/**', 'test/api/report.md', 'AGENTS.md'],
  rewrites: siteFile,
  cleanUrls: true,
  ignoreDeadLinks: [/^http:\/\/localhost/],
  themeConfig: {
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'Options', link: '/docs/tune' },
      { text: 'Errors', link: '/docs/when-something-is-wrong' },
    ],
    sidebar: navigation.map(({ group, members }) => ({
      text: group,
      items: members.map(({ file, title }) => ({ text: title, link: `/${siteFile(file)}` })),
    })),
    search: { provider: 'local' },
    outline: [2, 3],
  },
  markdown: {
    // The same as on GitHub, so that links to headings hold in both.
    anchor: { slugify: slugOf },
    config: (markdown) => {
      const render = markdown.renderer.rules.code_inline;
      markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
        // Braces in code are no expressions of Vue.
        tokens[index]?.attrSet('v-pre', '');
        return render?.(tokens, index, ...rest) ?? '';
      };
    },
  },
  transformPageData: (page) => {
    const description = descriptions.get(page.filePath);
    if (description === undefined) throw new Error(`${page.filePath} is missing in navigation.ts.`);
    return { description };
  },
  transformHead: ({ page }) =>
    page === '404.md'
      ? []
      : [['link', { rel: 'alternate', type: 'text/markdown', href: `${base}${page}` }]],
  buildEnd: ({ outDir }) => {
    writeMarkdown(outDir);
    checkLinks(outDir);
  },
  vite: {
    plugins: [
      {
        name: 'pages-outside',
        enforce: 'pre',
        // A link without an ending would be taken for a page.
        transform: (code, id) =>
          id.endsWith('.md')
            ? code
                .replaceAll('](LICENSE)', '](LICENSE.txt)')
                .replaceAll(/\]\(([^)\s:]*)README\.md/g, ']($1')
            : undefined,
        // No Vue is found from where the pages stand.
        resolveId: (id, _importer, { ssr }) =>
          ssr === true && /^vue(?:\/|$)/.test(id) ? { id, external: true } : undefined,
      },
    ],
  },
});
