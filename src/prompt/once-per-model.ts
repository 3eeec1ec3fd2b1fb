import type { ModelIdentity } from './prompt-types.ts';

/** Models remembered: every call asks for its own, and a process has a few. */
const maxModelNames = 500;

/** Looks something up once for each model. */
export function oncePerModel<Found>(
  lookUp: (model: ModelIdentity) => Found,
): (model: ModelIdentity) => Found {
  const found = new Map<string, Found>();
  return (model) => {
    const name = `${model.provider} ${model.modelId}`;
    const known = found.get(name) ?? lookUp(model);
    if (found.size < maxModelNames) found.set(name, known);
    return known;
  };
}
