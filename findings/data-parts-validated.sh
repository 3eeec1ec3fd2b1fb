#!/bin/sh
# One data schema makes validateUIMessages refuse every data part without one.
#
# Versions: node 24.21.0, ai 7.0.173, zod 4.6.7
# Behavior: Without dataSchemas all data parts pass; with a schema for weather, a part data-summary
#   of the same message is refused: no data schema found.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: parts without a schema pass as before.
# For users of a summarizing middleware: an application that validates its own data parts has to
#   name those of a middleware too, or stored chats stop loading.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173 \
  zod@4.6.7

cat >seen.mjs <<'END'
import { safeValidateUIMessages } from 'ai';
import { z } from 'zod';

const messages = [
  {
    id: '1',
    role: 'assistant',
    parts: [
      { type: 'data-weather', data: { degrees: 3 } },
      { type: 'data-summary', data: { state: 'done' } },
    ],
  },
];
const weather = z.object({ degrees: z.number() });
for (const [title, dataSchemas] of [
  ['no schemas', undefined],
  ['weather only', { weather }],
  ['both', { weather, summary: z.unknown() }],
]) {
  const { success, error } = await safeValidateUIMessages({ messages, dataSchemas });
  console.log(`${title}: ${success}${error ? `, ${error.message.split('\n').at(-1)}` : ''}`);
}
END

cat >expected.txt <<'END'
no schemas: true
weather only: false, Error message: No data schema found for data part summary
both: true
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
