import { describeLegality } from './describe-legality.ts';

for (const packageName of ['anthropic', 'groq', 'cohere']) describeLegality(packageName);
