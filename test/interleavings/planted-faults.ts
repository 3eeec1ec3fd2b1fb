import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** A fault that is planted in the source, to see that it is found. */
export interface PlantedFault {
  readonly what: string;
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  /** Begins the names of the scenarios that are to find it. */
  readonly foundIn: string;
}

const state = 'src/state/conversation/conversation-state.ts';
const reading = 'src/state/conversation/read-conversation.ts';
const keeping = 'src/state/conversation/keep-summary.ts';
const documents = 'src/state/conversation/document.ts';

export const plantedFaults: readonly PlantedFault[] = [
  {
    what: 'a prepared summary that continues another one is not found',
    file: state,
    original: 'return parentDigest === undefined || parentDigest === found?.record.prefixDigest;',
    replacement: 'return parentDigest === undefined;',
    foundIn: 'a preparation and a call that continue',
  },
  {
    what: 'a summary whose request has ended without a word is waited for',
    file: state,
    original: 'begun.key === key && !begun.flight.isOver() &&',
    replacement: 'begun.key === key &&',
    foundIn: 'a call to order behind one that ends',
  },
  {
    what: 'a summary is sent that stands for all of a window',
    file: reading,
    original: '|| match >= total)',
    replacement: ')',
    foundIn: 'a window of what is covered',
  },
  {
    what: 'who finds a claim writes all the same',
    file: keeping,
    original: 'isTaken = (await Promise.all(others.map(isAwaited))).includes(true);',
    replacement: 'await Promise.all(others.map(isAwaited));',
    foundIn: 'two calls in two processes',
  },
  {
    what: 'who had to wait pays for what has been stored meanwhile',
    file: state,
    original: "(joins === 'any' && (isInUse(kept) || canFollow(at, kept)) && isBetween(at, kept)),",
    replacement: 'false,',
    foundIn: 'a call that is four messages further',
  },
  {
    what: 'a write that came too late counts as written',
    file: 'src/state/stores/sealed-store.ts',
    original: "if (outcome === 'written') return",
    replacement: "if (outcome !== 'failed') return",
    foundIn: 'two calls in two processes',
  },
  {
    what: 'nobody joins what is written in the same process',
    file: state,
    original: "if (isSame || (joins !== 'none' && (await goesOn(at, next))))",
    replacement: "if (isSame && joins === 'none')",
    foundIn: 'two calls in one process',
  },
  {
    what: 'what is undone comes back with what continues it',
    file: documents,
    original: '!isParentUndone(kept, [...undoneLast.values()]);',
    replacement: 'true;',
    foundIn: 'a call and the undoing of what it continues',
  },
  {
    what: 'what is being written is stored behind an erasure',
    file: documents,
    original: "return since !== undefined && epoch !== '' && epoch !== since;",
    replacement: "return since === undefined && epoch !== '';",
    foundIn: 'a call and an erasure',
  },
  {
    what: 'what the store did not take is not given to it again',
    file: keeping,
    original: 'if (!(await settle())) {',
    replacement: 'if (!(await settle()) && false) {',
    foundIn: 'two calls in two processes',
  },
  {
    what: 'one operation that fails is a verdict',
    file: 'src/state/conversation/conversation-documents.ts',
    original: 'return (await ask()) || (clockMs() - askedAt < atOnceMs && (await ask()));',
    replacement: 'return ask();',
    foundIn: 'two calls in two processes',
  },
];

/**
 * Plants a fault in the source, which is to be loaded after that.
 *
 * @throws {Error} where the source does not hold once what it changes.
 */
export function plant({ file, original, replacement }: PlantedFault): void {
  const url = new URL(`../../${file}`, import.meta.url).href;
  const parts = readFileSync(new URL(url), 'utf8').split(original);
  if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times ${original}`);
  registerHooks({
    load: (asked, context, next) =>
      asked === url
        ? { format: 'module-typescript', source: parts.join(replacement), shortCircuit: true }
        : next(asked, context),
  });
}
