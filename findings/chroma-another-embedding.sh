#!/bin/sh
# Chroma searches a collection by another embedding function than it was made with, without a word.
#
# Versions: node 24.21.0, chromadb 3.5.0 with its own server (chromadb-js-bindings 1.0.5 on Linux)
# Behavior: The server keeps the name of an embedding function whose class has name, getConfig and
#   buildFromConfig, and the word legacy of any other. Neither is compared: getOrCreateCollection
#   with another function of the same length opens the collection, keeps the first name, and the
#   nearest text is another one. No error, no warning.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: a collection whose function has a name refuses another one, which is why
#   the name is kept.
# For users of a summarizing middleware: name a collection of summaries after its embedding model;
#   a new model of the same length finds wrong summaries and no error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
cat >package.json <<'END'
{ "private": true, "overrides": { "chromadb-js-bindings-linux-x64-gnu": "1.0.5" } }
END
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  chromadb@3.5.0 >npm.log

cat >seen.mjs <<'END'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ChromaClient } from 'chromadb';

/** Functions of two models: both put a text about rivers and one about stones on an axis of its own. */
const rivers = (texts) => texts.map((text) => (text.includes('river') ? [1, 0] : [0, 1]));
const stones = (texts) => texts.map((text) => (text.includes('river') ? [0, 1] : [1, 0]));
const unnamed = (embed) => ({ generate: async (texts) => embed(texts) });
const named = (name, embed) => {
  class Named {
    name = name;
    generate = async (texts) => embed(texts);
    getConfig = () => ({});
    static buildFromConfig = () => new Named();
  }
  return new Named();
};

const listener = createServer().listen(0, '127.0.0.1');
await once(listener, 'listening');
const { port } = listener.address();
listener.close();
const command = ['node_modules/chromadb/dist/cli.mjs', 'run', '--path', 'data'];
const server = spawn(process.execPath, [...command, '--host', '127.0.0.1', '--port', port], {
  stdio: 'ignore',
});
const client = new ChromaClient({ host: '127.0.0.1', port });
const isUp = () => client.heartbeat().then(Boolean, () => false);
while (server.exitCode === null && !(await isUp()))
  await new Promise((resolve) => setTimeout(resolve, 50));

const warnings = [];
for (const kind of ['warn', 'error']) console[kind] = (...texts) => warnings.push(texts.join(' '));
const documents = ['The river is long.', 'The stone is heavy.'];
for (const [name, first, second] of [
  ['the-same-function', unnamed(rivers), unnamed(rivers)],
  ['no-name-then-no-name', unnamed(rivers), unnamed(stones)],
  ['a-name-then-no-name', named('rivers', rivers), unnamed(stones)],
  ['a-name-then-another', named('rivers', rivers), named('stones', stones)],
]) {
  const made = await client.getOrCreateCollection({ name, embeddingFunction: first });
  await made.add({ ids: ['river', 'stone'], documents });
  const opened = await client.getOrCreateCollection({ name, embeddingFunction: second });
  const { type, name: kept = type } = opened.configuration.embedding_function;
  const { ids } = await opened.query({ queryTexts: ['Which river?'], nResults: 1 });
  console.log(`${name}: keeps ${kept}, finds ${ids[0]}, warnings ${warnings.length}`);
}
server.kill();
END

cat >expected.txt <<'END'
the-same-function: keeps legacy, finds river, warnings 0
no-name-then-no-name: keeps legacy, finds stone, warnings 0
a-name-then-no-name: keeps rivers, finds stone, warnings 0
a-name-then-another: keeps rivers, finds stone, warnings 0
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
