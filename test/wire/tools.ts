import { type ToolSet, jsonSchema, tool } from 'ai';

const inputSchema = jsonSchema<{ path?: string }>({
  type: 'object',
  properties: { path: { type: 'string' } },
});

/** The client tools of the canonical conversations; `read_file` asks for approval in one of them. */
export const wireTools: ToolSet = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema,
    execute: () => 'The file has one line.',
  }),
  search_files: tool({ description: 'Searches files.', inputSchema }),
  execute_bash: tool({ description: 'Runs a command.', inputSchema }),
};
