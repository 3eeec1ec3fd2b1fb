import {
  anyFunction,
  anyObject,
  anyText,
  hasFunctions,
  type OptionRule,
} from '../checks/option-rule.ts';

/** What `extractors` accepts. */
export const extractorsRule: OptionRule = {
  allowed: 'an object of functions by tool name, or a list of { tool, extract }',
  accepts: (value) =>
    Array.isArray(value)
      ? value.every(isMatcher)
      : anyObject.accepts(value) && Object.values(Object(value)).every(anyFunction.accepts),
};

function isMatcher(value: unknown): boolean {
  const tool: unknown = Object(value).tool;
  const isTool = anyText.accepts(tool) || anyFunction.accepts(tool) || tool instanceof RegExp;
  return isTool && hasFunctions(value, 'extract');
}
