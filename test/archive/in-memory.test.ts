import { otherEngines } from '../stores/engines.ts';
import { describeState } from './describe-state.ts';

const { memory } = otherEngines;
if (memory !== undefined) describeState('memory', memory);
