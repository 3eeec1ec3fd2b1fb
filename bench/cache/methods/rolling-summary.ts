import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { encodePrompt } from '../encode-prompt.ts';
import { withPrompt, type Method } from './method.ts';
import { newestWithin } from './sliding-window.ts';

const instructions =
  'Continue the summary of this conversation: keep what matters, add what is new, drop what is settled.';

/** The share of the context that stays verbatim, as much as the middleware keeps. */
const tailShare = 0.1;

/**
 * From 80 % of the context on, every call is preceded by one of the summariser, which reads its last
 * summary and what has left the tail since: the cheapest form of summarising with every call.
 */
export const rollingSummary: Method = {
  name: 'summarise with every call',
  open: ({ model, summarizer, contextLength }) => {
    let summary = '';
    let covered = 0;
    return withPrompt(model, async (options) => {
      const { prompt } = options;
      if (covered === 0 && encodePrompt(options).length < contextLength * 0.8) return prompt;
      const window = newestWithin(
        { ...options, tools: [], prompt: prompt.filter(({ role }) => role !== 'system') },
        contextLength * tailShare,
      );
      const start = prompt.length - window.length;
      // The tail begins behind the user message that stands in front of it.
      const cut = prompt[start] === window[0] ? start : start + 1;
      summary = await continued(summarizer, summary, prompt.slice(covered, cut));
      covered = cut;
      const systems = prompt.filter(({ role }) => role === 'system');
      return [
        ...systems,
        { role: 'user', content: [{ type: 'text', text: `Summary so far: ${summary}` }] },
        ...window,
      ];
    });
  },
};

async function continued(
  summarizer: LanguageModelV4,
  summary: string,
  evicted: LanguageModelV4Prompt,
): Promise<string> {
  if (evicted.length === 0) return summary;
  const { content } = await summarizer.doGenerate({
    prompt: [
      { role: 'system', content: instructions },
      { role: 'user', content: [{ type: 'text', text: `${summary}\n${JSON.stringify(evicted)}` }] },
    ],
  });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
