/** What throws. */
export const throwing = (): never => {
  throw new Error('down');
};

/** What answers later, with an error. */
export const rejecting = async (): Promise<never> => throwing();
