import { cutAtWord, type ToolUse } from '../../tool-summary.ts';
import { fieldOf, ownProperty } from './fields.ts';
import { fact, toolFacts, type ToolFacts } from './tool-facts.ts';

const maxShownTask = 80;

/** A list of tasks that an agent keeps: how many are done, and what is being worked on. */
export function planFacts(use: ToolUse): ToolFacts {
  const lists = ['todos', 'plan', 'items', 'tasks', 'steps'].map((name) =>
    ownProperty(use.input, name),
  );
  const tasks: readonly unknown[] = lists.find((list) => Array.isArray(list)) ?? [];
  const inState = (...states: readonly string[]): readonly unknown[] =>
    tasks.filter((task) =>
      states.includes(fieldOf(task, ['status', 'state'])?.toLowerCase() ?? ''),
    );
  const [current] = inState('in_progress', 'in-progress', 'active');
  const text = fieldOf(current, ['content', 'step', 'title', 'task', 'text', 'activeForm']);
  const done = inState('completed', 'complete', 'done').length;
  return toolFacts(use, {
    asked: tasks.length === 0 ? [] : [`Tasks: ${done} of ${tasks.length} done`],
    found: () => fact('Now', text && cutAtWord(text, maxShownTask)),
    metadata: { taskCount: tasks.length, doneCount: done },
  });
}
