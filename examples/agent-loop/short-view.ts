import { createTerminal, type Terminal, type TerminalOptions } from './terminal.ts';
import { cut, number } from './text-layout.ts';

/** A request of the user, and the calls that answered it. */
interface AnsweredRequest {
  readonly text: string;
  readonly firstCall: number;
  lastCall: number;
  sent: number;
  full: number;
  readonly summaries: string[];
}

/** Shows the result first, then the quiz and a line for each request and each summary. Lines keep within 80 columns. */
export function createShortView(options: TerminalOptions): Terminal {
  let isShown = true;
  const write = (text: string): void => {
    if (isShown) options.write(text);
  };
  const whole = createTerminal({ ...options, write });
  const quiz: string[] = [];
  const requests: AnsweredRequest[] = [];
  let calls = 0;

  return {
    title: (lines) => {
      whole.title([...lines, 'Running some 80 calls of the agent …']);
      isShown = false;
    },
    onRequest: (text) => {
      const [sentence = text] = text.split(/(?<=\.) /);
      const firstCall = calls + 1;
      requests.push({
        text: sentence,
        firstCall,
        lastCall: calls,
        sent: 0,
        full: 0,
        summaries: [],
      });
    },
    onCall: (action, reading) => {
      whole.onCall(action, reading);
      calls = reading.calls;
      const request = requests.at(-1);
      if (request === undefined) return;
      request.lastCall = calls;
      request.sent = reading.sent;
      request.full = reading.full;
    },
    onAnswer: whole.onAnswer,
    onQuizAnswer: ({ question }, answer, isRight) => {
      const [line = ''] = answer.replace(/^- /, '').split('\n');
      quiz.push(`${isRight ? '✓' : '✗'} ${cut(`${question} ${line}`, 76)}`);
    },
    onEvent: (event) => {
      // Failures are shown at once.
      const wasShown = isShown;
      isShown ||= ['failed', 'fallback', 'warning'].includes(event.type);
      whole.onEvent(event);
      isShown = wasShown;
      if (event.type !== 'end') return;
      const { record, coveredMessages, tokensBefore, tokensAfter } = event;
      requests
        .at(-1)
        ?.summaries.push(
          `    ╰ summary-depth:${record.depth} covers ${coveredMessages} messages: ` +
            `${number(tokensBefore)} → ${number(tokensAfter)} tokens`,
        );
    },
    result: (result) => {
      isShown = true;
      whole.result(result);
      const lines = requests.flatMap(({ text, firstCall, lastCall, sent, full, summaries }) => [
        `${cut(text, 38).padEnd(40)}${`${firstCall}-${lastCall}`.padStart(8)}${number(sent).padStart(11)}${number(full).padStart(15)}`,
        ...summaries,
      ]);
      const head = `${'request'.padEnd(40)}${'calls'.padStart(8)}${'sent'.padStart(11)}${'full history'.padStart(15)}`;
      write(`${['', ...quiz, '', head, ...lines].join('\n')}\n`);
      write('\nnpm run demo -- --verbose shows each call, answer and record.\n');
    },
  };
}
