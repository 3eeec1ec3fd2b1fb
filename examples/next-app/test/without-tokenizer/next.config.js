import path from 'node:path';

/**
 * As the quick start says: one line for each bundler leaves the tokenizer's tables out.
 *
 * @type {import('next').NextConfig}
 */
const config = {
  turbopack: {
    root: path.join(import.meta.dirname, '../..'),
    resolveAlias: { 'gpt-tokenizer/bpeRanks/o200k_base': './empty.js' },
  },
  webpack: (own) => {
    own.resolve.alias['gpt-tokenizer/bpeRanks/o200k_base'] = false;
    return own;
  },
};

export default config;
