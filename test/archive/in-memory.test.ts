import { memoryStore } from '../../src/index.ts';
import { seenElsewhere } from '../support/shared-store.ts';
import { describeState } from './describe-state.ts';

describeState('memory', async () => {
  const store = memoryStore();
  let opened = 0;
  // Others than the first know nothing of the process that it lives in.
  const open = () => ((opened += 1) === 1 ? store : seenElsewhere(store));
  return { open, stop: async () => {} };
});
