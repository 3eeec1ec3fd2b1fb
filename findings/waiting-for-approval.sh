#!/bin/sh
# A tool call that waits for approval is in the model's history only while it is last.
#
# Versions: node 24.21.0, ai 7.0.173
# Behavior: convertToModelMessages leaves a call in state approval-requested out when a user message
#   follows, with the whole assistant message when it has nothing else; at the end it gives the call
#   and a tool-approval-request.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: the same UI message always becomes the same model message.
# For users of a summarizing middleware: a message that was in the prompt once is gone or shorter in
#   the next; a digest of the history up to there does not match any more.
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
import { convertToModelMessages } from 'ai';

const user = (id, text) => ({ id, role: 'user', parts: [{ type: 'text', text }] });
const waiting = {
  type: 'tool-pay',
  toolCallId: 'call_1',
  state: 'approval-requested',
  input: {},
  approval: { id: 'approval_1' },
};
const assistant = (...parts) => ({ id: 'a', role: 'assistant', parts });
const words = { type: 'text', text: 'May I?' };
for (const [title, messages] of [
  ['last', [user('1', 'Pay.'), assistant(words, waiting)]],
  ['followed by a user', [user('1', 'Pay.'), assistant(words, waiting), user('2', 'Wait.')]],
  ['nothing else, followed', [user('1', 'Pay.'), assistant(waiting), user('2', 'Wait.')]],
]) {
  const converted = await convertToModelMessages(messages);
  console.log(
    `${title}: ${converted.map(({ role, content }) => `${role} (${content.map(({ type }) => type)})`).join(', ')}`,
  );
}
END

cat >expected.txt <<'END'
last: user (text), assistant (text,tool-call,tool-approval-request)
followed by a user: user (text), assistant (text), user (text)
nothing else, followed: user (text), user (text)
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
