// Prompts are Markdown files imported as text, also where Node runs the source as it is.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) => {
    if (!url.endsWith('.md')) return next(url, context);
    const source = `export default ${JSON.stringify(readFileSync(new URL(url), 'utf8'))}`;
    return { format: 'module', source, shortCircuit: true };
  },
});
