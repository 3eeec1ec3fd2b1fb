import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { defineHandler } from 'nitro/h3';
import { outcomeOf, scriptedTalk } from '../../support.ts';

const talk = scriptedTalk('v4', 'nitro');
const middleware = summarizationMiddleware({
  ...talk.options,
  summarizerModelPreference: talk.summarizer,
});
const model = wrapLanguageModel({ model: talk.model, middleware });

export default defineHandler(async (event) => {
  const messages: ModelMessage[] = await event.req.json();
  const { text } = await generateText({ model, messages });
  return { text, outcome: await outcomeOf(talk) };
});
