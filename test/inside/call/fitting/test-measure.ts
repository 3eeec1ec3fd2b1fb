import { plainRates } from '../../../../src/planning/sizing/calibration.ts';
import {
  callCounter,
  measureWith,
  type TokenMeasure,
} from '../../../../src/planning/sizing/token-measure.ts';

/** Counts as the middleware does. */
export async function testMeasure(): Promise<TokenMeasure> {
  const model = { provider: 'openai.responses', modelId: 'gpt-test' };
  return measureWith(await callCounter({}, model), plainRates(1));
}
