import { crc32 } from 'node:zlib';

/**
 * One frame of Amazon's binary event stream: total and header length with their checksum, the headers,
 * the payload, and the checksum of it all. An `'exception'` is how a stream fails.
 */
export function eventFrame(
  eventType: string,
  payload: unknown,
  messageType: 'event' | 'exception' = 'event',
): Uint8Array {
  const headers = Buffer.concat([
    stringHeader(`:${messageType}-type`, eventType),
    stringHeader(':content-type', 'application/json'),
    stringHeader(':message-type', messageType),
  ]);
  const body = Buffer.from(JSON.stringify(payload), 'utf8');
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(headers.length + body.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([message, checksum(message)]);
}

/** A header whose value is a string: name length, name, type 7, value length, value. */
function stringHeader(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name, 'utf8');
  const valueBytes = Buffer.from(value, 'utf8');
  const type = Buffer.alloc(3);
  type.writeUInt8(7, 0);
  type.writeUInt16BE(valueBytes.length, 1);
  return Buffer.concat([Buffer.from([nameBytes.length]), nameBytes, type, valueBytes]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes), 0);
  return sum;
}
