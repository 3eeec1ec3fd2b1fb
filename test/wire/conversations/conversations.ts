import { agentConversations } from './agent-conversations.ts';
import { chatConversations } from './chat-conversations.ts';
import type { Conversation } from './conversation.ts';
import type { Dialect } from './dialect.ts';
import { reasoningConversations } from './reasoning-conversations.ts';
import { serverConversations } from './server-conversations.ts';

/** The canonical conversations, written the way one provider's model would have had them. */
export function conversationsIn(dialect: Dialect): Conversation[] {
  return [
    ...chatConversations(dialect),
    ...agentConversations(dialect),
    ...reasoningConversations(dialect),
    ...serverConversations(dialect),
  ];
}
