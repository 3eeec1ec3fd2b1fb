import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fact of the first request, asked again at the end. */
export interface QuizQuestion {
  readonly question: string;
  /** Text of a right answer, read from the repository and not from the conversation. */
  readonly expected: string;
  /**
   * Instruction before it.
   * @default that it must not use tools
   */
  readonly lead?: string;
}

/** Instructions of the agent, before everything else. */
export const instructions: string =
  'You inspect a repository with your tools, one call at a time, in the order the user names. ' +
  'When all steps are taken, answer every question of the user in one line that begins with "- ".';

const reviewedFolders = [
  'foundations/errors',
  'foundations/record',
  'prompt/identity',
  'planning/selection',
  'planning/composing',
  'planning/sizing',
  'call/options',
  'call/writing',
  'call/fitting',
  'planning/plan',
  'call/report',
  'sizes/overflow',
];

/** The user's requests, in order: one that the quiz will come back to, then a review folder by folder. */
export function requestsAbout(root: string): readonly string[] {
  return [
    'Get to know this package. Never touch files under `dist`: they are built. ' +
      'Remind me to add a changeset before the release. ' +
      'Read `examples/worker/package.json`, `tsconfig.json`, `.oxfmtrc.json` and `LICENSE`, ' +
      'run `wc -l LICENSE` and `ls src`, search `summary-depth` in `src`. ' +
      'Which `type` does `examples/worker/package.json` name? Which `target` does `tsconfig.json` set? ' +
      'Which `printWidth` does `.oxfmtrc.json` set? What does `wc -l LICENSE` count?',
    ...reviewedFolders.map((name) => reviewRequest(root, `src/${name}`)),
  ];
}

/** The quiz and its answers. */
export function quizAbout(root: string): readonly QuizQuestion[] {
  const text = (path: string): string => readFileSync(join(root, path), 'utf8');
  const valueIn = (path: string, key: string): string =>
    new RegExp(`"${key}": "?([^",\n]+)`).exec(text(path))?.[1] ?? '';
  return [
    {
      question: 'Which `type` did `examples/worker/package.json` name?',
      expected: valueIn('examples/worker/package.json', 'type'),
    },
    {
      question: 'Which `target` did `tsconfig.json` set?',
      expected: valueIn('tsconfig.json', 'target'),
    },
    {
      question: 'Which `printWidth` did `.oxfmtrc.json` set?',
      expected: valueIn('.oxfmtrc.json', 'printWidth'),
    },
    {
      question: 'What did `wc -l LICENSE` count?',
      expected: String(text('LICENSE').split('\n').length - 1),
    },
    { question: 'Which folder did I tell you never to touch?', expected: 'dist' },
    { question: 'What is to be done before the release?', expected: 'changeset' },
  ];
}

/** Whether an answer contains what is expected, as a word of its own. */
export function isRight(answer: string, expected: string): boolean {
  return answer.split(/\W+/).includes(expected);
}

function reviewRequest(root: string, folder: string): string {
  const paths = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .slice(0, 5)
    .map((file) => `\`${folder}/${file}\``);
  return (
    `Review \`${folder}\`. Read ${paths.join(', ')}. ` +
    `Search \`export function\` in \`${folder}\`. What does ${paths[0] ?? folder} export?`
  );
}
