import { agentPrompt } from './bodies.ts';
import { timeOf, wrapped } from './harness.ts';
const tokens = Number(process.argv[2]);
const mode = process.argv[3];
const body = JSON.stringify(agentPrompt(tokens));
if (mode === 'far') {
  const w = wrapped({ contextLength: tokens * Number(process.argv[4]) });
  console.log(await timeOf([body], w.prepare), w.measuredBy());
  console.log(await timeOf([body], w.prepare));
}
if (mode === 'near') {
  const w = wrapped({ contextLength: Math.ceil(tokens / 0.7), strategy: 'none' });
  await w.prepare(agentPrompt(tokens));
  for (let i = 0; i < 3; i++) console.log(await timeOf([body], w.prepare), w.measuredBy());
}
if (mode === 'first') {
  const w = wrapped({ contextLength: Math.ceil(tokens / 0.5), strategy: 'none' });
  await w.prepare(agentPrompt(tokens));
  const bodies = Array.from({ length: 8 }, (_, i) =>
    JSON.stringify(agentPrompt(tokens, i * 999 + 7)),
  );
  console.log(await timeOf(bodies, w.prepare), w.measuredBy());
}
import { summarised } from './paths.ts';
if (mode === 'record') {
  const { wrap, prompt } = await summarised(tokens, 4);
  const b = JSON.stringify([...prompt, { role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
  for (let i = 0; i < 4; i++) console.log(await timeOf([b], wrap.prepare), wrap.measuredBy());
}
