const button =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md text-sm font-medium disabled:opacity-50';

/** Classes of buttons. */
export const buttons = {
  primary: `${button} h-9 bg-primary px-3 text-primary-foreground hover:bg-primary/90`,
  plain: `${button} h-9 border border-input bg-card px-3 hover:bg-muted`,
  quiet: `${button} h-8 px-2 text-muted-foreground hover:bg-muted hover:text-foreground`,
  icon: `${button} size-8 text-muted-foreground hover:bg-muted hover:text-foreground`,
};

/** Classes of what one writes or chooses in. */
export const field =
  'w-full rounded-md border border-input bg-card px-2.5 py-1.5 text-sm aria-invalid:border-destructive';
