import { agentPrompt } from './bodies.ts';
import { wrapped } from './harness.ts';
const p = agentPrompt(10000);
const w = wrapped({ contextLength: 200000 });
const ps = Array.from({ length: 200 }, () => JSON.parse(JSON.stringify(p)));
for (let r = 0; r < 300; r++) {
  const s = performance.now();
  for (const q of ps) await w.prepare(q);
  if (r % 60 === 59) console.log(((performance.now() - s) * 5).toFixed(2), 'us');
}
