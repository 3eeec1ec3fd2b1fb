import { agentPrompt } from './bodies.ts';
import { timeOf } from './harness.ts';
let sink = 0;
const enc = new TextEncoder();
const buf = new Uint8Array(16384 * 3 + 8);
const w32 = new Int32Array(buf.buffer);
function run(text: string, f: (n: number) => number) {
  let r = 0;
  for (let s = 0; s < text.length; s += 16384) {
    const p = text.length <= 16384 ? text : text.slice(s, s + 16384);
    const n = enc.encodeInto(p, buf).written;
    buf[n] = 0;
    buf[n + 1] = 0;
    buf[n + 2] = 0;
    buf[n + 3] = 0;
    buf[n + 4] = 0;
    buf[n + 5] = 0;
    buf[n + 6] = 0;
    r ^= f((n + 3) >> 2);
  }
  return r;
}
const V: Record<string, (n: number) => number> = {
  none: (n) => n,
  two: (n) => {
    let l = 1,
      r = 2;
    for (let i = 0; i < n; i += 2) {
      l = Math.imul(l ^ w32[i]!, 0x9e3779b1);
      r = Math.imul(r ^ w32[i + 1]!, 0x85ebca77);
      l ^= r >>> 15;
      r ^= l >>> 13;
    }
    return l ^ r;
  },
  two0: (n) => {
    let l = 1,
      r = 2;
    for (let i = 0; i < n; i += 2) {
      l = Math.imul(l ^ (w32[i] ?? 0), 0x9e3779b1);
      r = Math.imul(r ^ (w32[i + 1] ?? 0), 0x85ebca77);
      l ^= r >>> 15;
      r ^= l >>> 13;
    }
    return l ^ r;
  },
  four: (n) => {
    let a = 1,
      b = 2,
      c = 3,
      d = 4;
    for (let i = 0; i < n; i += 4) {
      a = Math.imul(a ^ w32[i]!, 0x9e3779b1);
      b = Math.imul(b ^ w32[i + 1]!, 0x85ebca77);
      c = Math.imul(c ^ w32[i + 2]!, 0xc2b2ae3d);
      d = Math.imul(d ^ w32[i + 3]!, 0x27d4eb2f);
      a ^= c >>> 15;
      b ^= d >>> 13;
      c ^= b >>> 14;
      d ^= a >>> 12;
    }
    return a ^ b ^ c ^ d;
  },
  fourx: (n) => {
    let a = 1,
      b = 2,
      c = 3,
      d = 4;
    for (let i = 0; i < n; i += 4) {
      a = Math.imul(a ^ w32[i]!, 0x9e3779b1);
      b = Math.imul(b ^ w32[i + 1]!, 0x85ebca77);
      c = Math.imul(c ^ w32[i + 2]!, 0xc2b2ae3d);
      d = Math.imul(d ^ w32[i + 3]!, 0x27d4eb2f);
      a = (a << 13) | (a >>> 19);
      b = (b << 13) | (b >>> 19);
      c = (c << 13) | (c >>> 19);
      d = (d << 13) | (d >>> 19);
    }
    return a ^ b ^ c ^ d;
  },
};
for (const tokens of [100_000, 1_000_000]) {
  const body = JSON.stringify(agentPrompt(tokens));
  for (const k of Object.keys(V)) {
    const f = V[k]!;
    const g = (p: any) => {
      for (const m of p)
        if (typeof m.content === 'string') sink ^= run(m.content, f);
        else
          for (const x of m.content)
            if (x.text !== undefined) sink ^= run(x.text, f);
            else if (x.output) sink ^= run(x.output.value, f);
    };
    await timeOf([body], g);
    await timeOf([body], g);
    const t = await timeOf([body], g);
    console.log(tokens, k, t.ms.toFixed(3), t.ratio.toFixed(3));
  }
}
