import type {
  LanguageModelV4,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { promptTokens } from '../encode-prompt.ts';
import { withPrompt, type Method } from './method.ts';
import { newestWithin } from './sliding-window.ts';

const instructions =
  'Continue the summary of this conversation: keep what matters, add what is new, drop what is settled.';

/**
 * From 80 % of the context on, every call is preceded by one of the summarizer. The summary precedes the
 * newest messages that fit their share of the context. The summarizer reads its last one and what has left the tail
 * since, the cheapest form.
 *
 * @param tailShare - 0.1 is what the middleware leaves.
 */
export function summaryEveryCall(name: string, tailShare: number): Method {
  return {
    name,
    open: ({ model, summarizer, contextLength, onSummary }) => {
      let summary = '';
      let covered = 0;
      return withPrompt(model, async (options) => {
        const { prompt } = options;
        if (covered === 0 && promptTokens(options) < contextLength * 0.8) return prompt;
        const systems = prompt.filter(({ role }) => role === 'system');
        const window = newestWithin(
          { prompt: prompt.slice(systems.length) },
          contextLength * tailShare,
        );
        const start = prompt.length - window.length;
        // The tail begins behind the user message that stands in front of it.
        const cut = prompt[start] === window[0] ? start : start + 1;
        if (cut > covered) {
          summary = await summarized(summarizer, summary, prompt.slice(covered, cut));
          onSummary();
        }
        covered = cut;
        return [...systems, userMessage(`Summary so far: ${summary}`), ...window];
      });
    },
  };
}

async function summarized(
  summarizer: LanguageModelV4,
  summary: string,
  evicted: LanguageModelV4Prompt,
): Promise<string> {
  // The messages as they were sent, so that a provider's cache can know them.
  const { content } = await summarizer.doGenerate({
    prompt: [
      { role: 'system', content: instructions },
      ...(summary === '' ? [] : [userMessage(summary)]),
      ...evicted,
      userMessage('Write the summary.'),
    ],
  });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function userMessage(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
