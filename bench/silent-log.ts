type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

interface Log extends Record<Level, () => void> {
  readonly child: () => Log;
}

const never = (): boolean => false;
const nothing = (): void => undefined;

/** A log of other packages, of which nothing is of interest here. */
export const silentLog: Log & Record<`is${Capitalize<Level>}Enabled`, () => boolean> = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: () => silentLog,
};
