import { type JsonRecord, records } from '../json-view.ts';
import { type RuleViolation, broken } from './rule-violation.ts';

/** OR8: no two configuration updates side by side. */
export function checkUpdates(body: JsonRecord): RuleViolation[] {
  const items = records(body.input);
  return items.flatMap(({ type }, index) =>
    type === 'configuration_update' && items[index - 1]?.type === type
      ? [broken('OR8', `input[${index}]: configuration updates cannot be consecutive.`)]
      : [],
  );
}
