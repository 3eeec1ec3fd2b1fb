/** Code, markup, logs and comments in them. */
const codeLine =
  /^\s*(?:\d{1,6}[:|](?!\d)|\/\/|\/\*|#|<[!/\w]|\{|\}|\$ |@\w|--\s|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE)\b|\d{4}-\d\d-\d\d[T ]|at \S+ \(|Traceback|File "|(?:import|export|from|const|var|def|elif|raise|assert|async|function)\s.*[(){}=;:'"])|^\s+\*\s|[;{}]\s*$|=>|[!=]==?|:=|\w\(\)|<\/\w|\+\+|&&|\|\|/;

/** What code is full of, and from which share of a sentence on it is code. */
const codeMarks = /[()[\]{}=<>;"|\\]/g;
const leastCodeMarks = 5;
const codeShare = 0.1;

/** Whether a sentence is code, markup or a line of a log. */
export function looksLikeCode(sentence: string): boolean {
  if (codeLine.test(sentence)) return true;
  const marks = sentence.match(codeMarks)?.length ?? 0;
  return marks >= leastCodeMarks && marks > codeShare * sentence.length;
}
