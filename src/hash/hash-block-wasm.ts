import type { HashMemory } from './hash-block.ts';

/** What hash-block.wat compiles to, in base64. */
export const wasmBytes =
  'AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQACBxYCBm1lbW9yeQIACWhhc2hCbG9jawAACocBAYQBAQR+IAIpAwAhBiACKQMIIQcgAkEQaiECAkADQCAAIAFPDQEgADUCACEEIAA1AgQhBSAGIAQgAikDAHwgBSACKQMIfH58IQYgByAEIAIpAxB8IAUgAikDGHx+fCEHIABBCGohACACQSBqIQIMAAsLIAMgBkIgiD4CACADIAdCIIg+AgQL';

/**
 * Makes a memory whose blocks are hashed by WebAssembly.
 *
 * @throws where there is no WebAssembly, or the runtime refuses to compile it.
 */
export function wasmHashMemory(): HashMemory {
  const bytes = Uint8Array.from(atob(wasmBytes), (character) => character.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  if (!isHashModule(exports)) throw new TypeError('The module lacks an export.');
  return { buffer: exports.memory.buffer, hashBlock: exports.hashBlock };
}

interface HashModule {
  readonly memory: WebAssembly.Memory;
  readonly hashBlock: HashMemory['hashBlock'];
}

function isHashModule(exports: WebAssembly.Exports): exports is WebAssembly.Exports & HashModule {
  return (
    exports['memory'] instanceof WebAssembly.Memory && typeof exports['hashBlock'] === 'function'
  );
}
