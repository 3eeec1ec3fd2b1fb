import type { JSONObject } from '@ai-sdk/provider';
import { type ModelMessage, type ToolSet, jsonSchema, tool } from 'ai';
import { wireTools } from '../tools.ts';
import type { Conversation } from './conversation.ts';
import { anthropicDialect, responsesDialect } from './dialects.ts';
import { answer, system, toolLoop, user } from './messages.ts';

const instructions = system('You are an agent.');

/** An empty system message that sets something on OpenAI Responses from there on. */
export function openaiUpdate(options: JSONObject): ModelMessage {
  return system('', { openai: options });
}

/** An empty system message that sets something on Anthropic from there on. */
export function anthropicUpdate(options: JSONObject): ModelMessage {
  return system('', { anthropic: options });
}

/** A tool as OpenAI's `additionalTools` define it. */
export function loadedTool(name: string, description = `Does ${name}.`): JSONObject {
  const parameters = { type: 'object', properties: {}, additionalProperties: false };
  return { type: 'function', name, description, parameters };
}

/** Lets the first result of a run of messages load tools. */
export function loading(
  messages: readonly ModelMessage[],
  ...additionalTools: JSONObject[]
): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    if (message.role !== 'tool') return message;
    const providerOptions = { openai: { additionalTools } };
    return {
      ...message,
      content: message.content.map((part) =>
        part.type === 'tool-result' ? { ...part, providerOptions } : part,
      ),
    };
  });
}

/** A response format. */
export const verdictFormat: JSONObject = {
  type: 'json_schema',
  name: 'verdict',
  schema: { type: 'object', properties: {}, additionalProperties: false },
};

/** OpenAI Responses only: settings and tools that come in mid conversation. */
export const responsesStateConversations: readonly Conversation[] = [
  {
    name: 'several configuration updates',
    messages: [
      instructions,
      user('the parser'),
      answer(responsesDialect, 1),
      openaiUpdate({ reasoningEffortUpdate: 'high' }),
      user('the printer'),
      ...toolLoop(responsesDialect, 2, 2),
      answer(responsesDialect, 4),
      openaiUpdate({ textFormatUpdate: verdictFormat }),
      user('the lexer'),
      answer(responsesDialect, 5),
      openaiUpdate({ reasoningEffortUpdate: 'low' }),
      user('the linker'),
      ...toolLoop(responsesDialect, 6, 2),
    ],
  },
  {
    name: 'configuration updates without any other system message',
    messages: [
      openaiUpdate({ reasoningEffortUpdate: 'low' }),
      user('the parser'),
      answer(responsesDialect, 1),
      openaiUpdate({ reasoningEffortUpdate: 'high' }),
      user('the printer'),
      openaiUpdate({ textFormatUpdate: verdictFormat }),
      ...toolLoop(responsesDialect, 2, 2),
      answer(responsesDialect, 4),
      user('the lexer'),
    ],
  },
  {
    name: 'an effort of the whole call beside updates',
    providerOptions: { openai: { reasoningEffortUpdate: 'medium' } },
    messages: [
      user('the parser'),
      answer(responsesDialect, 1),
      openaiUpdate({ reasoningEffortUpdate: 'high' }),
      user('the printer'),
      answer(responsesDialect, 2),
      openaiUpdate({ textFormatUpdate: verdictFormat }),
      user('the lexer'),
      ...toolLoop(responsesDialect, 3, 2),
    ],
  },
  {
    name: 'tools that are loaded on the way',
    messages: [
      instructions,
      user('the parser'),
      ...loading(toolLoop(responsesDialect, 1, 1), loadedTool('list_issues')),
      answer(responsesDialect, 2),
      openaiUpdate({
        additionalTools: [
          loadedTool('list_issues', 'Lists the issues of a project.'),
          {
            type: 'namespace',
            name: 'crm',
            description: 'Customers.',
            tools: [loadedTool('find_customer')],
          },
        ],
      }),
      user('the printer'),
      ...loading(toolLoop(responsesDialect, 3, 2), {
        type: 'namespace',
        name: 'crm',
        description: 'Customers.',
        tools: [loadedTool('rename_customer')],
      }),
      answer(responsesDialect, 5),
      user('the lexer'),
      ...loading(toolLoop(responsesDialect, 6, 2), loadedTool('close_issue')),
    ],
  },
];

/** The tools of the conversations, one of them declared and not loaded. */
export const toolsWithOneDeferred: ToolSet = {
  ...wireTools,
  search_files: tool({
    description: 'Searches files.',
    inputSchema: jsonSchema({ type: 'object', properties: {} }),
    providerOptions: { anthropic: { deferLoading: true } },
  }),
};

/** A tool as Anthropic's `toolChanges` define it. */
export function definedTool(name: string, description = `Does ${name}.`): JSONObject {
  return {
    type: 'tool_addition',
    tool: { type: 'function', name, description, inputSchema: { type: 'object', properties: {} } },
  };
}

/** Anthropic models that take controls in mid conversation. */
export const anthropicStateConversations: readonly Conversation[] = [
  {
    name: 'several changes of effort',
    messages: [
      instructions,
      user('the parser'),
      answer(anthropicDialect, 1),
      anthropicUpdate({ effort: 'high' }),
      user('the printer'),
      ...toolLoop(anthropicDialect, 2, 2),
      answer(anthropicDialect, 4),
      anthropicUpdate({ effort: 'low' }),
      user('the lexer'),
      anthropicUpdate({ effort: 'max' }),
      ...toolLoop(anthropicDialect, 5, 3),
    ],
  },
  {
    name: 'an effort that comes first',
    messages: [
      anthropicUpdate({ effort: 'low' }),
      user('the parser'),
      answer(anthropicDialect, 1),
      anthropicUpdate({ effort: 'high' }),
      user('the printer'),
      ...toolLoop(anthropicDialect, 2, 2),
      answer(anthropicDialect, 4),
      user('the lexer'),
    ],
  },
  {
    name: 'tools that come and go',
    tools: toolsWithOneDeferred,
    messages: [
      instructions,
      user('the parser'),
      anthropicUpdate({
        toolChanges: [
          { type: 'tool_addition', toolName: 'search_files' },
          { type: 'tool_removal', toolName: 'execute_bash' },
          definedTool('list_issues'),
          definedTool('close_issue'),
        ],
      }),
      ...toolLoop(anthropicDialect, 1, 2),
      answer(anthropicDialect, 3),
      user('the printer'),
      system('Do not close issues.', {
        anthropic: {
          effort: 'high',
          toolChanges: [
            { type: 'tool_removal', toolName: 'close_issue' },
            { type: 'tool_addition', toolName: 'execute_bash' },
            definedTool('list_issues', 'Lists the issues of a project.'),
          ],
        },
      }),
      answer(anthropicDialect, 4),
      user('the lexer'),
      ...toolLoop(anthropicDialect, 5, 2),
      answer(anthropicDialect, 7),
      user('the linker'),
      anthropicUpdate({ toolChanges: [{ type: 'tool_removal', toolName: 'search_files' }] }),
      ...toolLoop(anthropicDialect, 8, 1),
    ],
  },
  {
    name: 'reminders of single turns',
    messages: [
      instructions,
      user('the parser'),
      system('For this turn, be brief.', { anthropic: { clearAt: 'next_user_message' } }),
      ...toolLoop(anthropicDialect, 1, 2),
      answer(anthropicDialect, 3),
      user('the printer'),
      system('For this turn, be thorough.', { anthropic: { clearAt: 'next_user_message' } }),
      ...toolLoop(anthropicDialect, 4, 3),
    ],
  },
];
