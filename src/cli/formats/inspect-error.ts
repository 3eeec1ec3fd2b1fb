/** Something that the user of the command can mend: said without a stack. */
export class InspectError extends Error {
  override readonly name = 'InspectError';
}
