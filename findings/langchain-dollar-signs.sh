#!/bin/sh
# Dollar signs of a conversation are changed before LangChain's summarizer reads them.
#
# Versions: node 24.21.0, langchain 1.5.14, @langchain/core 1.4.0
# Behavior: summarizationMiddleware puts the conversation into its prompt by String.replace, so two
#   dollar signs become one, and a dollar sign before an ampersand becomes the name of the
#   placeholder. One before a digit or a letter stays.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: the summarizer reads the words of the conversation as they are.
# For users of a summarizing middleware: summaries of shell, make and SQL lines may name wrong
#   variables; a template is filled by a function, not by a string.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  langchain@1.5.14 \
  @langchain/core@1.4.0

cat >seen.mjs <<'END'
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { AIMessage, HumanMessage, createAgent, summarizationMiddleware } from 'langchain';

const got = {};
class Model extends FakeListChatModel {
  bindTools() {
    return this;
  }

  async _generate(messages, ...rest) {
    got[this.responses[0]] = messages.map(({ text }) => text).join('\n');
    return super._generate(messages, ...rest);
  }
}
for (const text of ['It costs $5.', 'echo $HOME', 'run: ; kill $$(cat pid)', 'as $$ select 1 $$', 'sed s/a/<$&>/']) {
  const agent = createAgent({
    model: new Model({ responses: ['Done.'] }),
    tools: [],
    middleware: [
      summarizationMiddleware({
        model: new Model({ responses: ['A summary.'] }),
        trigger: { messages: 3 },
        keep: { messages: 1 },
      }),
    ],
  });
  await agent.invoke({ messages: [new HumanMessage(text), new AIMessage('Yes.'), new HumanMessage('Go on.')] });
  const read = got['A summary.'].split('\n').find((line) => line.startsWith('Human: '));
  console.log(`said: ${text} read: ${read.slice('Human: '.length)}`);
}
END

cat >expected.txt <<'END'
said: It costs $5. read: It costs $5.
said: echo $HOME read: echo $HOME
said: run: ; kill $$(cat pid) read: run: ; kill $(cat pid)
said: as $$ select 1 $$ read: as $ select 1 $
said: sed s/a/<$&>/ read: sed s/a/<{messages}>/
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
