/** Whether an option says anything: providers take `null` for nothing. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
