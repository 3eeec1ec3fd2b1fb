/** Whose message an item comes from; `model` where no message supports what a model wrote. */
export type OriginRole = 'user' | 'assistant' | 'tool' | 'system' | 'model';

/** Where an item of a record comes from. Stamped by code, whatever a model cites. */
export interface ItemOrigin {
  readonly role: OriginRole;
  /**
   * Position of the message in the conversation, from 0; messages of nothing but reasoning do not count.
   * Absent for `model`, and only there.
   */
  readonly message?: number | undefined;
}

/** The origin of what no message supports. */
export const modelOrigin: ItemOrigin = { role: 'model' };

/** Stands behind what no message bears out, where no origin tells it. */
export const doubtMark = '(unconfirmed)';
