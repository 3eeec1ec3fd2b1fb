import type * as Root from '../src/index.ts';

// Not imported by literal names: the types would be those of the last build, if there is one.
const folder = new URL('../dist/', import.meta.url);

/** The root entry as users run it. */
export const builtRoot: typeof Root = await import(new URL('index.js', folder).href);
