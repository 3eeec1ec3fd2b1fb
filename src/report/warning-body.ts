/**
 * Something to mend in the set-up; each once for a model. The `warnings` of a call's answer say it
 * too, each once for the process.
 */
export interface WarningBody {
  readonly type: 'warning';
  readonly code:
    | 'unknown-context-length'
    | 'reserve-exceeds-context'
    | 'store-without-secret'
    | 'store-without-compare'
    | 'state-not-shared'
    | 'no-web-crypto'
    | 'silent-truncation'
    | 'tokenizer-missing'
    | 'unknown-template-variable'
    | 'unknown-provider-key'
    | 'summarizer-through-gateway'
    | 'sliding-window'
    | 'summarizer-failed'
    | 'placement-refused'
    | 'summarizer-form';
  readonly message: string;
}
