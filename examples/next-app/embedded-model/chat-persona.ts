import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { chatSummary } from './chat-summary.ts';
import type { Persona } from './embedded-model.ts';
import { readPrompt } from './read-prompt.ts';
import { ignorance, questionsIn, remarksIn, type Call, type EmbeddedTurn } from './reading.ts';
import { recall } from './recall.ts';

const reportCharacters = 400;

/**
 * A partner for a chat that shows what it knows and where from: it answers from the messages it still
 * sees and from the summary of the others, and says which of the two it was.
 */
export const chatPersona: Persona = {
  modelId: 'deterministic-chat',
  takeTurn,
  writeSummary: chatSummary,
};

const introduction = `Hello! I am a small **offline model** without a network or a key: good enough to watch a conversation being remembered, and no more than that. I can

- **note** what you tell me, and answer questions about it: *My name is Noor*, later *What is my name?*
- keep your **rules**, **decisions** and **tasks**: *We decided to use Next.js*
- **look things up** in this package's documents: *What does the README say about \`namespace\`?*
- tell the **time**: *What time is it in Tokyo?*
- say what I know: *What do you remember?*

For a real conversation, set a key such as \`OPENAI_API_KEY\` and choose that model above.`;

function takeTurn({ prompt, tools = [] }: LanguageModelV4CallOptions): EmbeddedTurn {
  const { record, turns } = readPrompt(prompt);
  const latest = turns.at(-1);
  if (latest?.role === 'tool') return { text: report(latest.text) };

  const request = latest?.text ?? '';
  if (
    /^(hello|hi|hey|good (morning|evening|day)|who are you|what can you do|help)\b[^,]{0,12}$/i.test(
      request.trim(),
    )
  )
    return { text: introduction };
  const call = lookUp(request);
  if (call && tools.some(({ name }) => name === call.name)) {
    return { text: '', call };
  }

  const said = record.items
    .filter(({ list }) => toldLists.has(list))
    .flatMap(({ list, text }) => (list === 'userWords' ? remarksIn(text) : [text]));
  const summarised = [...new Set(said)];
  const visible = turns
    .slice(0, -1)
    .flatMap(({ role, text }) => (role === 'user' ? remarksIn(text) : []));
  if (/\bremember\b/i.test(request)) return { text: inventory(summarised, visible) };

  const answers = questionsIn(request).map((question) => {
    const seen = recall(question, visible);
    if (seen !== undefined) return `You told me: "${seen}"`;
    const read = recall(question, summarised);
    return read === undefined
      ? `${ignorance}. Neither the messages I see nor the summary say it: ${question}`
      : `From the summary of our earlier messages: "${read}"`;
  });
  const replies = remarksIn(request).map(reply);
  return { text: [...replies, ...answers].join('\n\n') || 'I am listening.' };
}

/** The lists of a record that hold what was said; the others hold names and questions. */
const toldLists = new Set(['keyPoints', 'decisions', 'actionItems', 'constraints', 'userWords']);

/** Reports what a tool found: its first line, and the next one that names the same thing. */
function report(found: string): string {
  const [opening = '', ...lines] = found.split('\n').filter((line) => line.trim() !== '');
  const [, topic = ''] = /`([^`]+)`/.exec(opening) ?? [];
  const line = lines.find((text) => text.includes(topic));
  return line === undefined ? opening : `${opening}\n\n${plain(line).slice(0, reportCharacters)}`;
}

/** The row of a table as a sentence would have it. */
function plain(line: string): string {
  const cells = line.split('|').map((cell) => cell.trim());
  return cells.filter((cell) => cell !== '').join(', ');
}

/** What a request wants looked up, if anything. */
function lookUp(request: string): Call | undefined {
  const [, topic] = /\breadme\b.*`([^`]+)`/i.exec(request) ?? [];
  if (topic !== undefined) return { name: 'search_readme', input: { text: topic } };
  const [, place] = /\bwhat time is it in ([\p{L} ]+)\?/iu.exec(request) ?? [];
  if (place !== undefined) return { name: 'current_time', input: { place } };
  return undefined;
}

function reply(remark: string): string {
  if (/\b(never|always|must|only)\b/i.test(remark)) return `I will keep to that: "${remark}"`;
  if (/^remind me\b/i.test(remark)) return 'I will remind you.';
  if (/\b(decided|agreed)\b/i.test(remark)) return `Noted as a decision: "${remark}"`;
  return `Noted: "${remark}"`;
}

function inventory(summarised: readonly string[], visible: readonly string[]): string {
  return `From the summary:\n\n${bullets(summarised)}\n\nFrom messages I still see:\n\n${bullets(visible)}`;
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n') || '- nothing';
}
