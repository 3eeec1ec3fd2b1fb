/** The members of an object that are not `undefined`: for types that tell what is absent from what is undefined. */
export function omitUndefined<Given extends object>(
  given: Given,
): { [Name in keyof Given]?: Exclude<Given[Name], undefined> };
export function omitUndefined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
