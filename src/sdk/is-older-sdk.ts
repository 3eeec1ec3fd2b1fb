import type * as sdk from 'ai';

/** Whether a module `ai` is that of AI SDK 6, which has other names for some settings. */
export function isOlderSDK(ai: Partial<typeof sdk>): boolean {
  // New in AI SDK 7, where it replaces `stepCountIs`.
  return !('isStepCount' in ai);
}
