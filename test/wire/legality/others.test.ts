import { describeLegality } from './describe-legality.ts';

for (const packageName of ['google', 'amazon-bedrock', 'mistral', 'deepseek'])
  describeLegality(packageName);
