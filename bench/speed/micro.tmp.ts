import { agentPrompt } from './bodies.ts';
import { messageFingerprint } from '../../src/tokens/message-fingerprint.ts';
import { scanPrompt } from '../../src/tokens/scan-prompt.ts';
import { upperBoundTokens } from '../../src/tokens/upper-bound-tokens.ts';
import { utf8Length } from '../../src/tokens/utf8-length.ts';
import { timeOf } from './harness.ts';
let sink = 0;
for (const tokens of [10_000, 100_000, 1_000_000]) {
  const body = JSON.stringify(agentPrompt(tokens));
  const r = async (n: string, f: (p: any) => unknown) => {
    await timeOf([body], f);
    const t = await timeOf([body], f);
    console.log(tokens, n, t.ms.toFixed(4), t.ratio.toFixed(3));
  };
  await r('nothing', () => 0);
  await r('touch', (p) => {
    for (const m of p) sink += m.content.length;
  });
  await r('scan', (p) => {
    sink += scanPrompt({ prompt: p }, 'openai').bound;
  });
  await r('hash', (p) => {
    for (const m of p) sink ^= messageFingerprint(m).low;
  });
  await r('upper', (p) => {
    sink += upperBoundTokens({ prompt: p });
  });
  await r('utf8', (p) => {
    for (const m of p)
      for (const x of m.content)
        if (x.text !== undefined) sink += utf8Length(x.text);
        else if (x.output) sink += utf8Length(x.output.value);
  });
}
