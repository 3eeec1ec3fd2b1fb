/**
 * Words for 0 to 20, then for 30, 40 … 90, 100 and 1000, so that a number which a model writes in digits is known where
 * the messages spell it: English, German, French, Spanish, Italian, Portuguese, Dutch. Other spellings are not read.
 */
const wordLists = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand',
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend',
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent mille',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil',
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille',
  'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem mil',
  'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend',
];

const values = new Map(
  wordLists.flatMap((words) =>
    words.split(' ').map((word, place) => [word, valueAt(place)] as const),
  ),
);

function valueAt(place: number): number {
  if (place <= 20) return place;
  return place <= 27 ? (place - 18) * 10 : 10 ** (place - 26);
}

/** The numbers that a text spells, each with what two of them in a row make: `forty-five`, `nine hundred`. */
export function spelledNumbers(text: string): readonly number[] {
  const numbers: number[] = [];
  let before: number | undefined;
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu)) {
    const parts = values.has(word) ? [word] : word.split('-');
    for (const part of parts) {
      const value = values.get(part);
      if (value !== undefined) numbers.push(value);
      if (value !== undefined && before !== undefined)
        numbers.push(value >= 100 ? before * value : before + value);
      before = value;
    }
  }
  return numbers;
}
