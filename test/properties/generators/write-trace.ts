import type { Message } from '../../../src/index.ts';
import { writeText } from './texts.ts';
import {
  callPart,
  openCall,
  picture,
  resultPart,
  says,
  thoughts,
  userMessage,
} from './trace-parts.ts';
import type { StepPlan, TracePlan, TurnPlan } from './trace-plan.ts';

/** A conversation and what of it belongs together. */
export interface Trace {
  readonly prompt: Message[];
  /** For each message the number of the group it belongs to; groups are whole in any legal prompt. */
  readonly groups: readonly number[];
}

/** Writes a planned conversation. Equal plans give equal messages. */
export function writeTrace(plan: TracePlan, idPrefix = 'call'): Trace {
  const writer = traceWriter(idPrefix);
  for (const text of plan.systems) writer.alone({ role: 'system', content: writeText(text) });
  for (const turn of plan.turns) writer.turn(turn);
  writer.end(plan.ending);
  return writer.trace();
}

type Part = Parameters<typeof says>[number];
type ToolPart = Extract<Message, { role: 'tool' }>['content'][number];

const said = (text: string): Part => ({ type: 'text', text });
const hosted = (call: Extract<Part, { type: 'tool-call' }>): Part => ({
  ...call,
  providerExecuted: true,
});
const answers = (...content: ToolPart[]): Message => ({ role: 'tool', content });
const approval = (id: string, approved: boolean): ToolPart => ({
  type: 'tool-approval-response',
  approvalId: `approve-${id}`,
  approved,
});

interface TraceWriter {
  readonly alone: (message: Message) => void;
  readonly turn: (turn: TurnPlan) => void;
  readonly end: (ending: TracePlan['ending']) => void;
  readonly trace: () => Trace;
}

function traceWriter(idPrefix: string): TraceWriter {
  const prompt: Message[] = [];
  const groups: number[] = [];
  let group = 0;
  let ids = 0;
  const nextId = (): string => `${idPrefix}${(ids += 1)}`;
  const together = (...messages: readonly Message[]): void => {
    group += 1;
    for (const message of messages) {
      prompt.push(message);
      groups.push(group);
    }
  };

  const step = (plan: StepPlan): void => {
    switch (plan.kind) {
      case 'answer':
        return together(says(...thoughts(plan.thinking), said(writeText(plan.text))));
      case 'calls': {
        const made = plan.calls.map((call) => ({ call, id: nextId() }));
        const words = plan.say ? [said('Let me look.')] : [];
        const calls = made.map(({ call, id }) => callPart(call, id));
        return together(
          says(...thoughts(plan.thinking), ...words, ...calls),
          answers(...made.map(({ call, id }) => resultPart(call, id))),
        );
      }
      case 'approval': {
        const id = nextId();
        const call = plan.approved ? plan.call : ({ ...plan.call, kind: 'denied' } as const);
        const response = approval(id, plan.approved);
        return together(says(callPart(plan.call, id)), answers(response, resultPart(call, id)));
      }
      case 'hosted': {
        const id = nextId();
        const [call, found] = [hosted(callPart(plan.call, id)), said('Found it.')];
        const result = resultPart(plan.call, id);
        return plan.approval
          ? together(says(call), answers(approval(id, true)), says(result, found))
          : together(says(call, result, found));
      }
      case 'hosted-late': {
        const id = nextId();
        const result = resultPart(plan.call, id);
        return together(says(hosted(callPart(plan.call, id))), says(result, said('There it is.')));
      }
      case 'code-calls': {
        const code = { toolCallId: nextId(), toolName: 'code_execution' };
        const made = plan.calls.map((call) => ({ call, id: nextId() }));
        const caller = { type: 'code_execution_20250825', toolId: code.toolCallId };
        const byCode = { providerOptions: { anthropic: { caller } } };
        const run = hosted({ type: 'tool-call', ...code, input: { code: 'run()' } });
        const output = { type: 'text', value: 'done' } as const;
        return together(
          says(run, ...made.map(({ call, id }) => ({ ...callPart(call, id), ...byCode }))),
          answers(...made.map(({ call, id }) => resultPart(call, id))),
          says({ type: 'tool-result', ...code, output }, said('The code ran.')),
        );
      }
      case 'thought-apart': {
        const id = nextId();
        const calls = says(callPart(plan.call, id));
        return together(says(...thoughts('signed')), calls, answers(resultPart(plan.call, id)));
      }
      case 'operator':
        return together({ role: 'system', content: writeText(plan.text) });
      case 'picture':
        return together(says(picture));
      case 'empty':
        return together(says(said('')));
    }
  };

  return {
    alone: together,
    turn: (turn) => {
      for (const user of turn.users) together(userMessage(user));
      turn.steps.forEach(step);
    },
    end: (ending) => {
      if (ending === 'user')
        together(userMessage({ text: { seed: 1, words: 4, extra: '' }, file: 'none' }));
      if (ending === 'prefill') together(says(said('The answer is')));
      if (ending === 'open-calls') together(says(openCall(nextId()), openCall(nextId())));
    },
    trace: () => ({ prompt, groups }),
  };
}
