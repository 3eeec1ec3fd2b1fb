const subjects =
  'the importer|our billing service|the nightly job|a retry|the customer|the parser|the second replica|the schema|the invoice table|that endpoint|the queue worker|the release script'.split(
    '|',
  );
const verbs =
  'rejects|rewrites|waits for|duplicates|depends on|replaces|times out on|reads|validates|skips|reports|locks'.split(
    '|',
  );
const objects =
  'every second row|the currency column|an empty batch|the old migration|orders with an old tax code|the connection pool|a stale lock|the test fixtures|the CSV header|two partitions|the audit log|a missing index'.split(
    '|',
  );
const endings =
  'when the load is high|since the last release|when the flag is set|before the transaction commits|on the staging cluster|as it did last year|and nobody noticed|in the European region|after a restart|for accounts from last year'.split(
    '|',
  );

/** Text that reads like prose, of about some words, and holds names that occur once. */
export function prose(random: () => number, words: number): string {
  const sentences: string[] = [];
  for (let written = 0; written < words; written += 10) sentences.push(sentence(random));
  return sentences.join(' ');
}

function sentence(random: () => number): string {
  const [subject, verb, object, ending] = [subjects, verbs, objects, endings].map((list) =>
    pick(random, list),
  );
  const name = random() < 0.3 ? ` (see ${fileName(random)})` : '';
  const text = `${subject} ${verb} ${object} ${ending}${name}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A path in a source tree. */
export function fileName(random: () => number): string {
  const folder = pick(random, ['billing', 'import', 'queue', 'report', 'schema', 'web']);
  const stem = pick(random, ['handler', 'client', 'batch', 'index', 'rates', 'worker', 'rules']);
  return `src/${folder}/${stem}-${Math.floor(random() * 1000)}.ts`;
}

/** Lines as a search or a file gives them, of about some words. */
export function toolOutput(random: () => number, words: number): string {
  const lines: string[] = [];
  for (let written = 0; written < words; written += 12)
    lines.push(`${fileName(random)}:${Math.floor(random() * 900)}: ${sentence(random)}`);
  return lines.join('\n');
}

function pick(random: () => number, list: readonly string[]): string {
  return list[Math.floor(random() * list.length)] ?? '';
}
