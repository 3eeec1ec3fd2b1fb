import type { Message } from '../../../src/index.ts';
import { writeText } from './texts.ts';
import {
  callPart,
  openCall,
  pixel,
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
        return together(
          says(...thoughts(plan.thinking), { type: 'text', text: writeText(plan.text) }),
        );
      case 'calls': {
        const made = plan.calls.map((call) => ({ call, id: nextId() }));
        return together(
          says(
            ...thoughts(plan.thinking),
            ...(plan.say ? [{ type: 'text' as const, text: 'Let me look.' }] : []),
            ...made.map(({ call, id }) => callPart(call, id)),
          ),
          { role: 'tool', content: made.map(({ call, id }) => resultPart(call, id)) },
        );
      }
      case 'approval': {
        const id = nextId();
        const denied = { ...plan.call, kind: 'denied' } as const;
        return together(says(callPart(plan.call, id)), {
          role: 'tool',
          content: [
            {
              type: 'tool-approval-response',
              approvalId: `approve-${id}`,
              approved: plan.approved,
            },
            resultPart(plan.approved ? plan.call : denied, id),
          ],
        });
      }
      case 'hosted': {
        const id = nextId();
        const call = { ...callPart(plan.call, id), providerExecuted: true };
        const result = resultPart(plan.call, id);
        if (!plan.approval)
          return together(says(call, result, { type: 'text', text: 'Found it.' }));
        return together(
          says(call),
          {
            role: 'tool',
            content: [
              { type: 'tool-approval-response', approvalId: `approve-${id}`, approved: true },
            ],
          },
          says(result, { type: 'text', text: 'Found it.' }),
        );
      }
      case 'hosted-late': {
        const id = nextId();
        return together(
          says({ ...callPart(plan.call, id), providerExecuted: true }),
          says(resultPart(plan.call, id), { type: 'text', text: 'There it is.' }),
        );
      }
      case 'code-calls': {
        const code = nextId();
        const made = plan.calls.map((call) => ({ call, id: nextId() }));
        const anthropic = { caller: { type: 'code_execution_20250825', toolId: code } };
        return together(
          says(
            {
              type: 'tool-call',
              toolCallId: code,
              toolName: 'code_execution',
              input: { code: 'run()' },
              providerExecuted: true,
            },
            ...made.map(({ call, id }) => ({
              ...callPart(call, id),
              providerOptions: { anthropic },
            })),
          ),
          { role: 'tool', content: made.map(({ call, id }) => resultPart(call, id)) },
          says(
            {
              type: 'tool-result',
              toolCallId: code,
              toolName: 'code_execution',
              output: { type: 'text', value: 'done' },
            },
            { type: 'text', text: 'The code ran.' },
          ),
        );
      }
      case 'thought-apart': {
        const id = nextId();
        return together(says(...thoughts('signed')), says(callPart(plan.call, id)), {
          role: 'tool',
          content: [resultPart(plan.call, id)],
        });
      }
      case 'operator':
        return together({ role: 'system', content: writeText(plan.text) });
      case 'picture':
        return together(
          says({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } }),
        );
      case 'empty':
        return together(says({ type: 'text', text: '' }));
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
      if (ending === 'prefill') together(says({ type: 'text', text: 'The answer is' }));
      if (ending === 'open-calls') together(says(openCall(nextId()), openCall(nextId())));
    },
    trace: () => ({ prompt, groups }),
  };
}
