import { engines } from '../stores/engines.ts';
import { describeState } from './describe-state.ts';

for (const [name, start] of Object.entries(engines)) describeState(name, start);
