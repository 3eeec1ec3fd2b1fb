import { type JsonRecord, record, records, text } from '../json-view.ts';
import { type RuleViolation, broken } from './rule-violation.ts';

/**
 * AN11 and AN15: a server tool's use and result stay together, and calls made by a code execution keep
 * it. A use at the very end of the prompt is a paused turn, and one that called client tools gets its
 * result in a later message.
 */
export function checkServerTools(body: JsonRecord): RuleViolation[] {
  const messages = records(body.messages).map((message) => records(message.content));
  const all = messages.flat();
  const uses = new Set(idsOf(all, (type) => type === 'server_tool_use', 'id'));
  const callers = all.map((block) => text(record(block.caller).tool_id)).filter((id) => id !== '');
  return [
    ...messages.flatMap((content, index) => {
      const results = new Set(idsOf(content, isServerResult, 'tool_use_id'));
      const isLast = index === messages.length - 1;
      return idsOf(content, (type) => type === 'server_tool_use', 'id')
        .filter((id) => !results.has(id) && !isLast && !callers.includes(id))
        .map((id) =>
          broken(
            'AN11',
            `messages.${index}: \`web_search\` tool use with id \`${id}\` was found without a corresponding \`web_search_tool_result\` block`,
          ),
        );
    }),
    ...idsOf(all, isServerResult, 'tool_use_id')
      .filter((id) => !uses.has(id))
      .map((id) => broken('AN11', `messages: unexpected server tool result for \`${id}\``)),
    ...callers
      .filter((id) => !uses.has(id))
      .map((id) =>
        broken('AN15', `messages: \`caller\` refers to the unknown code execution \`${id}\``),
      ),
  ];
}

const isServerResult = (type: string): boolean => type.endsWith('_tool_result');

function idsOf(
  content: readonly JsonRecord[],
  matches: (type: string) => boolean,
  key: string,
): string[] {
  return content.filter((block) => matches(text(block.type))).map((block) => text(block[key]));
}
