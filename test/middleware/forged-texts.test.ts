import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { chat, user } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

/**
 * A sentence of which three bytes differ from the other version's by one bit: two letters change their case
 * and 4000 becomes 6000, 3, 19 and 30 bytes into a round of 16 bytes.
 */
function sentence(seed: number, version: 'ours' | 'forged'): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const letter = (place: number): string => letters[(seed * 7 + place * 5) % 26] ?? 'a';
  const text = Array.from({ length: 30 }, (_, place) => letter(place));
  if (version === 'forged')
    for (const place of [3, 19]) text[place] = (text[place] ?? '').toUpperCase();
  return `${text.join('')}${version === 'ours' ? '4' : '6'}000 euros are what I may spend.`;
}

function conversation(text: string): ModelMessage[] {
  return [user(text), ...chat(19).slice(1)];
}

describe('a conversation whose words were chosen to be taken for another', () => {
  it('never gets the summary of the other one', async () => {
    const summarizer = summarizerModel(({ prompt }) => {
      const [, amount = 'no'] = /(\d000) euros/.exec(JSON.stringify(prompt)) ?? [];
      return answer({ summary: `They may spend ${amount} euros.` });
    });
    const { inner, model } = setUp({}, { summarizer });
    for (let seed = 0; seed < 26; seed += 1) {
      await generateText({ model, messages: conversation(sentence(seed, 'forged')) });
      await generateText({ model, messages: conversation(sentence(seed, 'ours')) });
      const prompt = JSON.stringify(lastPrompt(inner));
      expect(prompt).toContain('They may spend 4000 euros.');
      expect(prompt).not.toContain('6000 euros');
    }
    expect(summarizer.doGenerateCalls).toHaveLength(52);
  });
});
