/** Words for two to ten in some languages, where they mean nothing else. */
const words = [
  'two zwei dos deux dois due twee два',
  'three drei tres trois três tre drie три',
  'four vier cuatro quatre quatro quattro четыре',
  'five fünf cinco cinq cinque vijf пять',
  'six sechs seis zes шесть',
  'seven sieben siete sept sete sette zeven семь',
  'eight acht ocho huit oito otto восемь',
  'nine neun nueve nove negen девять',
  'ten zehn diez dez dieci tien десять',
];

const numbers: ReadonlyMap<string, number> = new Map(
  words.flatMap((line, index) => line.split(' ').map((word) => [word, index + 2] as const)),
);

/** The number from two to ten that a word in small letters is. */
export function numberOfWord(word: string): number | undefined {
  return numbers.get(word);
}
