/** The members of an object that are not `undefined`: for types that tell what is absent from what is undefined. */
export function defined<Given extends object>(
  given: Given,
): { [Name in keyof Given]?: Exclude<Given[Name], undefined> };
export function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
