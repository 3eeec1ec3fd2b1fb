import { builtPath, entries } from './entries.ts';

const checks: readonly object[] = Object.entries(entries).map(([name, { limit }]) => ({
  name,
  path: `dist/${builtPath(name)}.js`,
  ignore: ['ai', 'zod', '@ai-sdk/provider', 'gpt-tokenizer', 'minisearch', 'node:*'],
  limit,
}));

export default checks;
