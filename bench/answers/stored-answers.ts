import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// What a capable model answered, by the digest of what it was asked: a request that changes is asked anew.

const file = (name: string): URL => new URL(`answers/${name}.json`, import.meta.url);

/** Answers to the requests of one conversation. */
export interface StoredAnswers {
  /** The answer to a request; `undefined`, and the request stands in the folder of open ones, where there is none. */
  readonly answerTo: (request: string) => string | undefined;
  /** Requests that were not answered. */
  readonly open: () => number;
  /** Forgets answers that were not asked for. */
  readonly prune: () => void;
}

/**
 * Reads the answers of a conversation.
 *
 * @param openFolder - Where requests without an answer are written, `DIGEST.request.md`; an answer that stands beside
 *   one as `DIGEST.answer.md` is taken in.
 */
export function storedAnswers(name: string, openFolder: string): StoredAnswers {
  const stored: Record<string, string> = existsSync(file(name))
    ? JSON.parse(readFileSync(file(name), 'utf8'))
    : {};
  const used = new Map<string, string>();
  let open = 0;
  return {
    answerTo: (request) => {
      const digest = createHash('sha256').update(request).digest('hex').slice(0, 16);
      const written = path.join(openFolder, `${digest}.answer.md`);
      const answer = existsSync(written) ? readFileSync(written, 'utf8').trim() : stored[digest];
      if (answer === undefined) {
        open += 1;
        mkdirSync(openFolder, { recursive: true });
        const [, kind = ''] = /^(\w+)/.exec(request) ?? [];
        writeFileSync(path.join(openFolder, `${digest}.request.md`), request);
        console.log(`open: ${name} ${kind} ${digest}`);
      } else used.set(digest, answer);
      return answer;
    },
    open: () => open,
    prune: () => {
      mkdirSync(new URL('answers/', import.meta.url), { recursive: true });
      const sorted = [...used].toSorted(([one], [other]) => (one < other ? -1 : 1));
      writeFileSync(file(name), `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
    },
  };
}

/** Names of the requests that wait for an answer in a folder. */
export function openRequests(openFolder: string): readonly string[] {
  return existsSync(openFolder)
    ? readdirSync(openFolder).filter((name) => name.endsWith('.request.md'))
    : [];
}
