/** The part of an address behind `#` that leads to a heading, as GitHub makes it of the heading's text. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
