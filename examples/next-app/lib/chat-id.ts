/** A new id of a chat. */
export function newChatId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** Whether a text can be the id of a chat. */
export function isChatId(id: string): boolean {
  return /^[A-Za-z0-9]{8,40}$/.test(id);
}
