import { utf8Encoder } from '../../util/strings/utf8-length.ts';

/** Bytes of fields, each behind its length: no two lists have the same ones. */
export function lengthPrefixed(fields: readonly string[]): Uint8Array<ArrayBuffer> {
  // As JSON, because UTF-8 has one and the same code for every lone surrogate.
  const encoded = fields.map((field) => utf8Encoder.encode(JSON.stringify(field)));
  const bytes = new Uint8Array(encoded.reduce((size, field) => size + 4 + field.length, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const field of encoded) {
    view.setUint32(offset, field.length);
    bytes.set(field, offset + 4);
    offset += 4 + field.length;
  }
  return bytes;
}
