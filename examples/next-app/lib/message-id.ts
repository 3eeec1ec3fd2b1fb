/** A new id of a message. Later ones sort after earlier ones, which gives versions of a message their order. */
export function messageId(): string {
  return `${Date.now().toString(36).padStart(9, '0')}${crypto.randomUUID().slice(0, 8)}`;
}
