/** Stands behind what no message bears out, where no origin tells it. */
export const doubtMark = '(unconfirmed)';
