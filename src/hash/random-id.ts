const idBytes = 16;

/** 128 random bits as 32 hexadecimal digits. Pages of an insecure origin have no `crypto.randomUUID`. */
export function randomId(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(idBytes))];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
