import { describeLegality } from './describe-legality.ts';

for (const packageName of ['openai', 'openai-compatible', 'xai']) describeLegality(packageName);
