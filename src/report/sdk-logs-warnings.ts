/**
 * Whether the SDK's warning log works here. Next.js puts a `process.emitWarning` that throws into its edge
 * runtime, and the SDK calls it for every warning of an answer: a warning there would cost the answer.
 */
export function sdkLogsWarnings(): boolean {
  const logger: unknown = Reflect.get(globalThis, 'AI_SDK_LOG_WARNINGS');
  if (logger === false || typeof logger === 'function') return true;
  return !('EdgeRuntime' in globalThis);
}
