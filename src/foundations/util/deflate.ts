/** Compresses bytes (RFC 1951), wherever there are the Compression Streams of the WHATWG. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new CompressionStream('deflate-raw'));
}

/** Reads what {@link deflate} wrote. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream('deflate-raw'));
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Response(bytes).body?.pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}
