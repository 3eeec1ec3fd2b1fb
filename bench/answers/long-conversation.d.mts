import type { Conversation } from './conversation.ts';

/** Makes a conversation of some 90,000 tokens, most of them what tools answered. */
export default function makeLongConversation(): Omit<Conversation, 'contextLength' | 'cuts'>;
