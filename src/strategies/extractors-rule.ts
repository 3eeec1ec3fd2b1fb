import { hasFunctions, isNamed, rule, type OptionRule } from '../checks/option-rule.ts';
import type { ToolExtractors } from './tool-summary.ts';

/** What `extractors` accepts. */
export const extractorsRule: OptionRule<ToolExtractors> = rule(
  'an object of functions by tool name, or a list of { tool, extract }',
  (value) =>
    Array.isArray(value)
      ? value.every(isMatcher)
      : isNamed(value) && Object.values(value).every((each) => typeof each === 'function'),
);

function isMatcher(value: unknown): boolean {
  const tool: unknown = Object(value).tool;
  const isTool =
    (typeof tool === 'string' && tool !== '') ||
    typeof tool === 'function' ||
    tool instanceof RegExp;
  return isTool && hasFunctions(value, 'extract');
}
