import type { ContextLengthTable } from './context-length-table.ts';

/** Google's models, Gemma included. */
export const google: ContextLengthTable = {
  gemini: 1_048_576,
  'gemini-2.5-flash-image': 32_768,
  'gemini-2.5-flash-preview-tts': 8192,
  'gemini-2.5-flash-tts': 8192,
  'gemini-2.5-pro-preview-tts': 8192,
  'gemini-2.5-pro-tts': 8192,
  'gemini-3-pro-image': 65_536,
  'gemini-3.1-flash-image': 65_536,
  'gemini-3.1-flash-lite-image': 65_536,
  'gemma-2': 8192,
  'gemma-3': 128_000,
  'gemma-3n': 32_768,
  'gemma-4': 262_144,
};
