#!/bin/sh
# LangChain's summarization takes a system message of the conversation into the summary.
#
# Versions: node 24.21.0, langchain 1.5.14, @langchain/core 1.4.0
# Behavior: A system message that stands first in the messages reaches the model until
#   summarizationMiddleware works. Afterwards it is text for the summarizer, and the model gets the
#   summary as a user message and no system message. One given as systemPrompt stays.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: the middleware keeps the first system message in front, for it tells it from
#   the conversation.
# For users of a summarizing middleware: instructions that stand among the messages need a test of
#   what the model gets after the first summary.
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
import { AIMessage, HumanMessage, SystemMessage, createAgent, summarizationMiddleware } from 'langchain';

const got = {};
class Model extends FakeListChatModel {
  bindTools() {
    return this;
  }

  async _generate(messages, ...rest) {
    got[this.responses[0]] = messages;
    return super._generate(messages, ...rest);
  }
}
const rule = 'Always answer in French.';
const turns = [0, 1, 2, 3].flatMap((turn) => [
  new HumanMessage(`Question ${turn}`),
  new AIMessage(`Answer ${turn}`),
]);
const history = [...turns, new HumanMessage('Go on.')];
for (const [name, systemPrompt, messages] of [
  ['in the messages', undefined, [new SystemMessage(rule), ...history]],
  ['as systemPrompt', rule, history],
]) {
  for (const limit of [100, 6]) {
    const agent = createAgent({
      model: new Model({ responses: ['Done.'] }),
      tools: [],
      systemPrompt,
      middleware: [
        summarizationMiddleware({
          model: new Model({ responses: ['A summary.'] }),
          trigger: { messages: limit },
          keep: { messages: 2 },
        }),
      ],
    });
    await agent.invoke({ messages });
    const roles = got['Done.'].map((message) => message.getType());
    const read = got['A summary.']?.some(({ text }) => text.includes(rule)) ?? false;
    console.log(`${name}, ${limit === 6 ? 'summarized' : 'before'}: the model gets ${roles.join(' ')}`);
    delete got['A summary.'];
    if (limit === 6) console.log(`${name}, the summarizer reads the rule: ${read ? 'yes' : 'no'}`);
  }
}
END

cat >expected.txt <<'END'
in the messages, before: the model gets system human ai human ai human ai human ai human
in the messages, summarized: the model gets human ai human
in the messages, the summarizer reads the rule: yes
as systemPrompt, before: the model gets system human ai human ai human ai human ai human
as systemPrompt, summarized: the model gets system human ai human
as systemPrompt, the summarizer reads the rule: no
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
