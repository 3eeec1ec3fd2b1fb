/** A tool call as the embedded model thinks of it. */
export interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Answer of an embedded model: a text, and a tool call if it has to look something up. */
export interface EmbeddedTurn {
  readonly text: string;
  readonly call?: Call | undefined;
}

/** One message as the embedded model reads it, from a prompt or from a transcript alike. */
export interface Turn {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly Call[];
}

/** How the agent says that its prompt holds no answer. */
export const ignorance = "I don't know";

/** Subject of a call, in the words of a user's request: `src/index.ts`, `wc -l LICENSE`. */
export function subjectOf({ input }: Call): string {
  return Object.values(input).join(' in ');
}

/** How the chat partner says that nothing it sees comes close to a question. */
export const nothingClose = 'No sentence shares a word with';

/** The calls a request asks for: read `file`, `file`; run `command`; search `text` in `folder`; recall `words`. */
export function requestedCalls(request: string): readonly Call[] {
  const steps = request.matchAll(/\b(read|run|search|recall) ((?:`[^`]+`(?:, | and | in )?)+)/gi);
  return Array.from(steps).flatMap(([, verb = '', list = '']): Call[] => {
    const targets = Array.from(list.matchAll(/`([^`]+)`/g), ([, target = '']) => target);
    const [text = '', folder = '.'] = targets;
    switch (verb.toLowerCase()) {
      case 'read':
        return targets.map((path) => ({ name: 'read_file', input: { path } }));
      case 'run':
        return targets.map((command) => ({ name: 'execute_bash', input: { command } }));
      case 'recall':
        return targets.map((query) => ({ name: 'recall', input: { query } }));
      default:
        return [{ name: 'search_files', input: { text, folder } }];
    }
  });
}

/** The questions of a request. */
export function questionsIn(request: string): readonly string[] {
  return sentences(request).filter((sentence) => sentence.endsWith('?'));
}

/** Statements of a request: neither questions nor steps to take. */
export function remarksIn(request: string): readonly string[] {
  return sentences(request).filter(
    (sentence) => !sentence.endsWith('?') && requestedCalls(sentence).length === 0,
  );
}

/** Splits at sentence ends; dots inside file names and numbers are none. */
export function sentences(text: string): readonly string[] {
  return text
    .split(/(?<=[.?!]"?)(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St)\.)\s+/)
    .filter((sentence) => sentence !== '');
}

/** Statements of turns: remarks of the user, report lines of the assistant, lines of tool outputs. */
export function statementsIn(turns: readonly Turn[]): readonly string[] {
  const waiting: Call[] = [];
  return turns.flatMap(({ role, text, calls }) => {
    waiting.push(...calls);
    if (role === 'user') return remarksIn(text);
    const lines = text.split('\n').map((line) => line.trim());
    if (role === 'assistant') {
      const report = lines.filter((line) => line.startsWith('- ') && !line.includes(ignorance));
      return report.map((line) => line.slice(2));
    }
    const call = waiting.shift();
    return call ? lines.filter(Boolean).map((line) => `${subjectOf(call)}: ${plain(line)}`) : [];
  });
}

/** `"license": "MIT",` reads as `license: MIT`. */
function plain(line: string): string {
  return line
    .replaceAll('"', '')
    .replace(/[,;{[]+$/, '')
    .trim()
    .slice(0, 120);
}
