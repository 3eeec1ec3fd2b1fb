/** A message, or one result of a tool message, that is to be said in fewer words. */
export interface MessageToCondense {
  readonly type: 'tool' | 'user' | 'agent';
  /** Name of the tool. */
  readonly name?: string | undefined;
  /** Input of the tool's call, as text. */
  readonly input?: string | undefined;
  /** Redacted like everything a summariser reads. */
  readonly text: string;
}
