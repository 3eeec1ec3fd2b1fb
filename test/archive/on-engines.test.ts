import { engines, otherEngines } from '../stores/engines.ts';
import { describeState } from './describe-state.ts';

const { memory: _usual, ...others } = otherEngines;
for (const [name, start] of Object.entries({ ...engines, ...others })) describeState(name, start);
