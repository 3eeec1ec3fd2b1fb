export { handoff, type HandoffOptions } from './handoff.ts';
export type { HandoffMessage } from './handoff-message.ts';
export { seed, type SeedInput } from './seed.ts';
