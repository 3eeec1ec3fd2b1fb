import { z } from 'zod';

/** The options of the middleware that each conversation sets for itself, and who answers. */
export const chatSettingsSchema = z
  .object({
    /** Id of one of `listModels`; what is not there any more falls back to the first. */
    model: z.string().max(100),
    contextLength: z.coerce
      .number('Enter a number of tokens.')
      .int('Enter a whole number of tokens.')
      .min(2_000, 'At least 2,000 tokens.')
      .max(200_000, 'At most 200,000 tokens.'),
    triggerTokenRatio: z.coerce.number().min(0.2, 'At least 20 %.').max(0.95, 'At most 95 %.'),
    resetTokenRatio: z.coerce.number().min(0.1, 'At least 10 %.').max(0.9, 'At most 90 %.'),
    strategy: z.enum(['llm', 'rule-based', 'none']),
    placement: z.enum(['auto', 'system', 'system-merged', 'user']),
    /** Waiting for a summary: for so many milliseconds, or never. */
    waiting: z.enum(['10000', '2000', 'background']),
  })
  .refine(({ triggerTokenRatio, resetTokenRatio }) => resetTokenRatio < triggerTokenRatio, {
    path: ['resetTokenRatio'],
    message: 'Has to be below the trigger.',
  });

export type ChatSettings = z.infer<typeof chatSettingsSchema>;

/** A context far smaller than any real one, so that summaries come soon. */
export const defaultSettings: ChatSettings = {
  model: '',
  contextLength: 3_500,
  triggerTokenRatio: 0.8,
  resetTokenRatio: 0.6,
  strategy: 'llm',
  placement: 'auto',
  waiting: '10000',
};
