import { randomNumbers } from '../cache/random.ts';
import { syntheticWorld, type World } from './conversation.ts';
import { drops, flooding, hostile } from './code-repairs.ts';
import { faithful, print, wrongClaims } from './judge-claims.ts';
import { invented, laundered } from './judge-inventions.ts';
import { realWorlds } from './real-worlds.ts';

// What a record says of a conversation whose summariser makes mistakes in controlled doses. Definitions:
// README.md of the folder above.

const folder = process.env['RETENTION_DATA'] ?? '../shared/data';
const languages = ['en', 'en', 'en', 'de', 'es', 'fr', 'ru', 'zh'] as const;
const synthetic = languages.map((language, index) => syntheticWorld(index + 1, language));
const real = realWorlds(folder, 24);
const worlds: readonly World[] = [...synthetic, ...real];
if (real.length === 0)
  console.warn(`SKIPPED the corpora: none in ${folder}; RETENTION_DATA names another folder.`);
console.log(`${synthetic.length} synthetic conversations, ${real.length} of the corpora\n`);

for (const dose of [0, 0.1, 0.3, 0.6, 1]) await drops(worlds, dose, randomNumbers(11));
await flooding(worlds, randomNumbers(12));
const same = [...(await faithful(synthetic, 'synthetic')), ...(await faithful(real, 'corpora'))];
print('true, in other words and forms, all', same);
for (const fault of ['miscopied', 'relinked', 'negated', 'stale'] as const)
  await wrongClaims(worlds, fault, randomNumbers(13));
await invented(worlds, 200, randomNumbers(14));
await laundered(worlds, randomNumbers(15));
await hostile(worlds, randomNumbers(16));
