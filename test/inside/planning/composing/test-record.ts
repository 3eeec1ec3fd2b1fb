import type { SummaryRecord } from '../../../../src/index.ts';
import type { Message, ModelIdentity } from '../../../../src/prompt/messages/prompt-types.ts';
import { buildRecord } from '../../../../src/foundations/record/build-record.ts';
import {
  viewConversation,
  type ViewedCall,
} from '../../../../src/planning/selection/conversation-view.ts';
import { emptyContent } from '../../../support/empty-content.ts';

/** A record that stands for so many messages. */
export function testRecord(
  coveredMessages: number,
  summary = 'They spoke of rivers.',
  outputTokens = 30,
): SummaryRecord {
  const figures = { depth: 0, coveredMessages, strategy: 'llm', degraded: false, inputTokens: 100 };
  const frame = { ...figures, key: 'f'.repeat(64), prefixDigest: 'digest' };
  return buildRecord(frame, emptyContent(summary), outputTokens);
}

/** What is known of the shape of a conversation. */
export function testView(
  prompt: Message[],
  model: ModelIdentity = { provider: 'openai.responses', modelId: 'gpt-test' },
  more: Partial<ViewedCall> = {},
): ReturnType<typeof viewConversation> {
  const none = { pinnedMessages: [], callOptions: {}, pin: undefined, onPinError: () => {} };
  return viewConversation({ params: { prompt }, model, ...none, ...more });
}
