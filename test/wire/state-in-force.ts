import { type JsonRecord, isRecord, record, records, text } from './json-view.ts';

/** What is in force when the model answers a request, beyond the request's own settings. */
export type StateInForce = Readonly<Record<string, unknown>>;

/** Reads what the positioned controls of a request come to at its end; the same for every provider. */
export function stateInForce(body: JsonRecord): StateInForce {
  return body.input === undefined ? anthropicState(body) : responsesState(body);
}

function responsesState(body: JsonRecord): StateInForce {
  let effort: unknown;
  let format: unknown;
  const tools: Record<string, unknown> = {};
  for (const item of records(body.input)) {
    if (item.type === 'configuration_update') {
      effort = record(item.reasoning).effort ?? effort;
      format = record(item.text).format ?? format;
    }
    if (item.type !== 'additional_tools') continue;
    for (const tool of records(item.tools)) {
      const members = tool.type === 'namespace' ? records(tool.tools) : [tool];
      for (const member of members)
        tools[`${text(tool.type)} ${text(tool.name)} ${text(member.name)}`] = member;
    }
  }
  return { effort, format, tools };
}

function anthropicState(body: JsonRecord): StateInForce {
  const tools: Record<string, unknown> = {};
  for (const tool of records(body.tools))
    if (tool.defer_loading !== true) tools[text(tool.name)] = 'declared';
  let effort: unknown;
  let untilUser: unknown;
  let untilTurn: unknown;
  let reminders: string[] = [];
  for (const message of records(body.messages)) {
    const content = records(message.content);
    if (message.role === 'user') {
      // An effort waits for the next user turn; whether results of tools are one is not said.
      untilTurn = effort;
      if (content.some(({ type }) => type !== 'tool_result')) {
        untilUser = effort;
        reminders = [];
      }
    }
    if (message.role !== 'system') continue;
    effort = record(message.output_config).effort ?? effort;
    for (const block of content) {
      const { definition, name } = record(block.tool);
      if (block.type === 'tool_removal') delete tools[text(name)];
      if (block.type === 'tool_addition')
        tools[text(record(definition).name) || text(name)] = isRecord(definition)
          ? definition
          : 'declared';
      if (message.clear_at !== undefined && block.type === 'text') reminders.push(text(block.text));
    }
  }
  return { effort, untilUser, untilTurn, tools, reminders };
}
