import { maxModels } from '../../prompt/model-name.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { circuitBreaker, type BreakerPass } from './circuit-breaker.ts';

/**
 * Gives a pass for a call of a model for a namespace, `undefined` while the circuit of either is open.
 *
 * @param slowMs - See `EnterCircuit`.
 */
export type EnterFairly = (
  model: string,
  namespace: string,
  slowMs?: number,
) => BreakerPass | undefined;

/** Namespaces with nothing usable in a row, from which on the model is at fault and not what they give it. */
const maxUnlucky = 3;

/**
 * Leaves a model alone like {@link circuitBreaker}, and of what a model answered without use to whoever gave it the
 * messages: one tenant whose messages no model summarises takes it from nobody else.
 */
export function fairBreaker(): EnterFairly {
  const ofModels = circuitBreaker();
  const ofNamespaces = circuitBreaker();
  const unlucky = boundedMap<ReadonlySet<string>>(maxModels);
  return (model, namespace, slowMs) => {
    const own = ofNamespaces(JSON.stringify([model, namespace]));
    const shared = own && ofModels(model, slowMs);
    if (own === undefined || shared === undefined) {
      own?.cancel();
      return undefined;
    }
    const isAtFault = (): boolean => {
      const all = new Set([...(unlucky.get(model) ?? []), namespace]);
      if (all.size <= maxUnlucky) unlucky.set(model, all);
      return all.size >= maxUnlucky;
    };
    return {
      succeed: () => {
        unlucky.delete(model);
        own.succeed();
        shared.succeed();
      },
      fail: (of) => {
        if (of === 'content') own.fail(of);
        else own.cancel();
        if (of === 'model' || isAtFault()) shared.fail(of);
        else shared.cancel();
      },
      cancel: () => {
        own.cancel();
        shared.cancel();
      },
    };
  };
}
