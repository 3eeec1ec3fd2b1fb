#!/bin/sh
# What is written to a UI message stream after its end vanishes without an error.
#
# Versions: node 24.21.0, ai 7.0.173
# Behavior: writer.write and writer.merge return as always and nothing arrives after execute has
#   returned or the reader has canceled; a merged stream that is still open keeps the writer alive.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: a write to an ended stream throws, or goes to onError.
# For users of a summarizing middleware: events of work that goes on behind an answer reach the
#   client only while a merged stream is open; nothing tells that they did not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173

cat >seen.mjs <<'END'
import { createUIMessageStream } from 'ai';

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
for (const [title, isOpen, cancels] of [
  ['read to its end', false, false],
  ['a merged stream is open', true, false],
  ['canceled', true, true],
]) {
  let writer;
  const errors = [];
  const stream = createUIMessageStream({
    execute: (given) => {
      ({ writer } = given);
      writer.write({ type: 'data-note', data: 'first' });
      if (isOpen) writer.merge(new ReadableStream());
    },
    onError: (error) => {
      errors.push(error);
      return 'failed';
    },
  });
  const seen = [];
  const reader = stream.getReader();
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      seen.push(value.data);
      if (cancels) await reader.cancel();
    }
  };
  void read();
  await pause();
  writer.write({ type: 'data-note', data: 'written' });
  writer.merge(
    new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'data-note', data: 'merged' });
        controller.close();
      },
    }),
  );
  await pause();
  console.log(`${title}: ${seen.join(', ')}; ${errors.length} errors`);
}
END

cat >expected.txt <<'END'
read to its end: first; 0 errors
a merged stream is open: first, written, merged; 0 errors
canceled: first; 0 errors
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
