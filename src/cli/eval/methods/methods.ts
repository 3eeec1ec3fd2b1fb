import type { Method } from './method.ts';
import { rollingSummary } from './rolling-summary.ts';
import { throughMiddleware } from './through-middleware.ts';
import { dropOldest, full, prune } from './windows.ts';

export type MethodName = 'full' | 'prune' | 'drop-oldest' | 'rolling' | 'rule-based' | 'middleware';

/** The methods that are compared, by the names under which they are asked for. */
export const methods: Readonly<Record<MethodName, Method>> = {
  full,
  prune,
  'drop-oldest': dropOldest,
  rolling: rollingSummary,
  'rule-based': throughMiddleware('rule-based'),
  middleware: throughMiddleware('llm'),
};

export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
