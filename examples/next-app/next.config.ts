import type { NextConfig } from 'next';

const config: NextConfig = {
  // Only because the app stands inside of another project: Next would take that for a workspace.
  turbopack: { root: import.meta.dirname },
  // Loaded when it is needed, not bundled: its tables take the bundler longer than all of the app.
  serverExternalPackages: ['gpt-tokenizer'],
  devIndicators: false,
};

export default config;
