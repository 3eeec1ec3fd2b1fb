import type { Method } from './method.ts';

/** The whole history, every time. */
export const nothing: Method = { name: 'nothing', open: ({ model }) => model };
