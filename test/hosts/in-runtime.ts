// Run in Bun and in Deno: a whole history that grows over the limit.
import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { scriptedTalk, talkFor } from './support.ts';

const talk = scriptedTalk('v4', 'in-runtime');
const middleware = summarizationMiddleware({
  ...talk.options,
  summarizerModelPreference: talk.summarizer,
});
const model = wrapLanguageModel({ model: talk.model, middleware });
const messages: ModelMessage[] = [];
const outcome = await talkFor(talk, async (text) => {
  messages.push({ role: 'user', content: text });
  const answer = await generateText({ model, messages });
  messages.push({ role: 'assistant', content: answer.text });
});
console.log(JSON.stringify(outcome));
