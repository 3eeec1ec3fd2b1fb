/** What a sealed value says to whoever can read the store: all of it, unless it is encrypted. */
export function sealedText(value: string): string {
  const [, , form, , payload = ''] = value.split(':');
  return form === 'plain' ? Buffer.from(payload, 'base64').toString() : '';
}
