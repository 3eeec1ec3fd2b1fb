/**
 * - `E`: the real API answers 4xx;
 * - `S`: some hosts or models reject it;
 * - `W`: accepted, but wrong or degraded.
 */
export type RuleSeverity = 'E' | 'S' | 'W';

/** A broken wire rule. */
export interface RuleViolation {
  /** Short name of the rule, such as `AN4`. */
  readonly rule: string;
  readonly severity: RuleSeverity;
  /** What the provider answers, in its own words. */
  readonly message: string;
}

/** A violation the real API answers with 4xx. */
export function broken(rule: string, message: string): RuleViolation {
  return { rule, severity: 'E', message };
}

/** A violation that only some hosts reject. */
export function strict(rule: string, message: string): RuleViolation {
  return { rule, severity: 'S', message };
}

/** A violation that is accepted and works badly. */
export function weak(rule: string, message: string): RuleViolation {
  return { rule, severity: 'W', message };
}

/** The violation as a list, or an empty list when the condition does not hold. */
export function when(condition: boolean, violation: RuleViolation): RuleViolation[] {
  return condition ? [violation] : [];
}
