import type { ComposingOptions } from '../composing/composing-options.ts';
import type { TriggerOptions } from '../planning/trigger-options.ts';
import type { VerbatimOptions } from '../selection/verbatim-options.ts';
import type { ModelSizeOptions } from '../sizing/size-options.ts';

/** What may differ between the models of one middleware. */
export interface ProviderOverrides
  extends
    ModelSizeOptions,
    Pick<TriggerOptions, 'triggerTokenRatio' | 'resetTokenRatio'>,
    Pick<VerbatimOptions, 'preserveRecent' | 'preserveRecentTokenRatio'>,
    Pick<ComposingOptions, 'placement'> {}
