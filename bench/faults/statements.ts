import type { Statement } from './statement.ts';
import { decisions } from './statements-decided.ts';
import { findings } from './statements-found.ts';
import { rules } from './statements-ruled.ts';

/** All that is said in synthetic conversations. */
export const statements: readonly Statement[] = [...rules, ...decisions, ...findings];
