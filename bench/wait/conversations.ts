import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { message, step } from '../messages.ts';

/** A conversation that grows by one call after another. */
export interface Workload {
  readonly name: string;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** What the call with this number adds to the history before it is sent. */
  readonly grow: (call: number) => readonly LanguageModelV4Message[];
}

/** A chat: some 430 tokens a turn. */
export const chat: Workload = {
  name: 'chat',
  contextLength: 16_000,
  grow: (call) => [
    ...(call === 0 ? [] : [message('assistant', call, 300)]),
    message('user', call, 70),
  ],
};

/** A loop of tool calls: some 900 tokens a step. */
export const toolLoop: Workload = {
  name: 'tool loop',
  contextLength: 32_000,
  grow: (call) => (call === 0 ? [message('user', call, 10)] : step(call, 700)),
};
