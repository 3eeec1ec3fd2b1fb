/** Something that the user of the command can mend: said without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
