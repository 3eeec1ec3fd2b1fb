export { handoff, type HandoffMessage, type HandoffOptions } from './handoff.ts';
export { seed, type SeedInput } from './seed.ts';
