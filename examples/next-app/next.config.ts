import type { NextConfig } from 'next';

const config: NextConfig = {
  // Only because the app stands inside of another project: Next would take that for a workspace.
  turbopack: { root: import.meta.dirname },
  devIndicators: false,
};

export default config;
