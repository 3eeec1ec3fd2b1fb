import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { chatSummary } from './chat-summary.ts';
import type { Persona } from './embedded-model.ts';
import { readPrompt } from './read-prompt.ts';
import type { KnownRecord } from './known-record.ts';
import {
  nothingClose,
  remarksIn,
  requestedCalls,
  sentences,
  type Call,
  type EmbeddedTurn,
  type Turn,
} from './reading.ts';
import { recall, type Told } from './recall.ts';

const reportCharacters = 400;

/** Characters that something says of a topic beyond its name. */
const leastSaid = 30;

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

  if (/\bremember\b/i.test(request))
    return { text: inventory(toldBefore(record), toldVisibly(turns)) };

  const told = [...toldBefore(record), ...toldVisibly(turns)];
  const all = sentences(request).filter((sentence) => requestedCalls(sentence).length === 0);
  const rest = all.filter((sentence) => !isTask(sentence));
  const replies = rest.filter((sentence) => !isQuestion(sentence)).map(reply);
  const answers = rest
    .filter(isQuestion)
    .flatMap(partsOf)
    .map((question) => answer(question, recall(question, told)));
  const refusals = all.length > rest.length ? [honestWord] : [];
  // One sentence may answer both parts of a question.
  const said = new Set([...replies, ...answers, ...refusals]);
  return { text: [...said].join('\n\n') || 'I am listening.' };
}

/** The lists of a record that hold what was said; the others hold names and questions. */
const toldLists = new Set(['keyPoints', 'decisions', 'actionItems', 'constraints', 'userQuotes']);

const summaryPlace = 'the summary';

/** Text of the summary of earlier messages. */
function toldBefore({ items }: KnownRecord): readonly Told[] {
  const said = items
    .filter(({ list }) => toldLists.has(list))
    .flatMap(({ list, text }) => (list === 'userQuotes' ? statementsOf(text) : [text]));
  return [...new Set(said)].map((text) => ({ text, place: summaryPlace }));
}

/** Texts of the user in the messages before the latest one. */
function toldVisibly(turns: readonly Turn[]): readonly Told[] {
  return turns.slice(0, -1).flatMap(({ role, text }, index) => {
    const ago = turns.length - 1 - index;
    const place = ago === 1 ? 'one message ago' : `${ago} messages ago`;
    return role === 'user' ? statementsOf(text).map((said) => ({ text: said, place })) : [];
  });
}

/** The sentences of a message that tell something. */
function statementsOf(text: string): readonly string[] {
  return remarksIn(text).filter((sentence) => !isQuestion(sentence) && !isTask(sentence));
}

/** Whether a sentence asks, with or without a question mark. */
function isQuestion(sentence: string): boolean {
  return (
    sentence.endsWith('?') ||
    /^(?:what|when|where|who|whom|whose|which|how|why|(?:do|can) you (?:know|recall)|tell me (?:the|what|when|where|who|which|how|about|our|my)|remind me (?:what|when|where|who|which|how))\b/i.test(
      sentence,
    )
  );
}

/** The questions that one sentence asks: who it is, and when. */
function partsOf(question: string): readonly string[] {
  return question.split(
    /,?\s+(?:and|or)\s+(?=(?:also |then )?(?:what|when|where|who|whom|whose|which|how|why)\b)/i,
  );
}

/** Quotes what comes closest to a question, and says where it stands. It only looks at words: it never says that something was not said. */
function answer(question: string, [closest, second]: readonly Told[]): string {
  if (closest === undefined)
    return `${nothingClose} “${question}”. I find things by their words: try those you used when you told me.`;
  const beside = second === undefined ? '' : `\n\nClose to it: ${quoted(second)}`;
  return `${quoted(closest)}${beside}`;
}

function quoted({ text, place }: Told): string {
  return place === summaryPlace
    ? `From the summary of our earlier messages: "${text}"`
    : `You told me, ${place}: "${text}"`;
}

/** Whether something is asked for that takes a model that understands. */
function isTask(remark: string): boolean {
  return /^(?:please |could you |can you |now )*(?:write|draft|compose|translate|explain|summari[sz]e|describe|compare|suggest|recommend|create|generate|design|implement|code|program|calculate|compute|solve|list|show|plan|rewrite|improve|fix|draw|sing|imagine|invent|brainstorm|give me|help me|tell me a)\b/i.test(
    remark,
  );
}

const honestWord = `That takes a model that understands language. I am the **offline model** of this demo: I keep what you tell me, quote it when you ask, look things up in the documents and tell the time. With a key such as \`OPENAI_API_KEY\` you can choose a real one above.`;

/** Reports what a tool found: its first line, and the sentence or the row of a table that names what was looked up. */
function report(found: string): string {
  const [opening = '', ...paragraphs] = found.split(/\n\s*\n/);
  const [, topic = ''] = /`([^`]+)`/.exec(opening) ?? [];
  const said = paragraphs
    .flatMap((paragraph) =>
      /^[|#-]/.test(paragraph)
        ? paragraph.split('\n').map(plain)
        : sentences(paragraph.replaceAll(/\s*\n\s*/g, ' ')),
    )
    .filter((text) => text.includes(topic) && text.length > topic.length + leastSaid);
  // A sentence that begins within a paragraph that was cut makes no sense alone.
  const whole = said.find((text) => /^[\p{Lu}`]/u.test(text)) ?? said[0];
  return whole === undefined ? opening : `${opening}\n\n${whole.slice(0, reportCharacters)}`;
}

/** The row of a table, or of a list, as a sentence would have it. */
function plain(line: string): string {
  const cells = line
    .replace(/^[-*#]+ /, '')
    .split('|')
    .map((cell) => cell.trim());
  return cells.filter((cell) => cell !== '').join(', ');
}

/** The thing to look up for a request, if there is one. */
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

function inventory(summarized: readonly Told[], visible: readonly Told[]): string {
  return `From the summary:\n\n${bullets(summarized)}\n\nFrom messages I still see:\n\n${bullets(visible)}`;
}

function bullets(items: readonly Told[]): string {
  return items.map(({ text }) => `- ${text}`).join('\n') || '- nothing';
}
