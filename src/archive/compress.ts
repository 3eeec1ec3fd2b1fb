import { utf8Encoder } from '../util/strings/utf8-length.ts';

/** Compresses a text. Runs wherever there are the Compression Streams of the WHATWG. */
export async function compressText(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return through(utf8Encoder.encode(text), new CompressionStream('deflate-raw'));
}

/**
 * Reads a compressed text.
 *
 * @throws {TypeError} when it is none.
 */
export async function decompressText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const plain = await through(bytes, new DecompressionStream('deflate-raw'));
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Response(bytes).body?.pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}
