import { agentPrompt } from './bodies.ts';
import { loadTextCounter } from '../../src/tokens/load-text-counter.ts';
import { messageCounterOf } from '../../src/tokens/message-counter.ts';
import { messageTexts } from '../../src/tokens/message-texts.ts';
import { messageFingerprint } from '../../src/tokens/message-fingerprint.ts';
import { sampleTokens } from '../../src/tokens/sample-tokens.ts';
import { timeSlices } from '../../src/tokens/time-slices.ts';
const c = await loadTextCounter();
const mc = messageCounterOf(c, 'openai');
for (let i = 0; i < 8; i++) {
  const p = JSON.parse(JSON.stringify(agentPrompt(1_000_000, i * 777)));
  let t = performance.now();
  for (const m of p) messageFingerprint(m);
  const fp = performance.now() - t;
  t = performance.now();
  const texts: string[] = [];
  for (const m of p) texts.push(...messageTexts(m, 'openai').texts);
  const tx = performance.now() - t;
  let n = 0;
  t = performance.now();
  const e = await sampleTokens(
    texts,
    (s) => {
      n++;
      return c.count(s);
    },
    { slices: { pause: () => undefined }, decided: () => false },
  );
  const s1 = performance.now() - t;
  let y = 0;
  t = performance.now();
  await sampleTokens(texts, c.count, {
    slices: timeSlices({
      rest: () => {
        y++;
        return new Promise((r) => setTimeout(r, 0));
      },
    }),
    decided: (t, e) => e < 0.2,
  });
  const s2 = performance.now() - t;
  console.log(
    'fp',
    fp.toFixed(1),
    'texts',
    tx.toFixed(1),
    'sample',
    s1.toFixed(1),
    'sliced',
    s2.toFixed(1),
    'yields',
    y,
    n,
    e,
  );
}
const exact = agentPrompt(1_000_000, 0).reduce((a, m) => a + mc.count(m), 0);
console.log(exact);
