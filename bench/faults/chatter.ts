import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { between, oneOf } from './random.ts';
import type { Language } from './value.ts';

const small: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  en: [
    'Thanks, that helps a lot, please carry on as before.',
    'I read through it and it looks reasonable to me so far.',
    'Give me a moment, somebody is at the door.',
    'Could you explain the second part again in simpler terms?',
    'The weather has been awful here all week, by the way.',
  ],
  de: [
    'Danke, das hilft sehr, mach bitte so weiter.',
    'Ich habe es gelesen und finde es bisher vernünftig.',
    'Einen Moment, es klingelt gerade.',
    'Kannst du den zweiten Teil noch einmal einfacher erklären?',
    'Das Wetter war übrigens die ganze Woche schrecklich.',
  ],
  es: [
    'Gracias, eso ayuda mucho, sigue así por favor.',
    'Lo he leído y hasta ahora me parece razonable.',
    'Un momento, llaman a la puerta.',
    '¿Puedes explicar otra vez la segunda parte de forma más simple?',
    'Por cierto, el tiempo ha sido horrible toda la semana.',
  ],
  fr: [
    'Merci, cela aide beaucoup, continuez ainsi.',
    'J’ai tout lu et cela me paraît raisonnable pour l’instant.',
    'Un instant, on sonne à la porte.',
    'Pouvez-vous expliquer la deuxième partie plus simplement ?',
    'Au fait, il a fait un temps affreux toute la semaine.',
  ],
  ru: [
    'Спасибо, это очень помогает, продолжай так же.',
    'Я прочитал, пока всё выглядит разумно.',
    'Минутку, кто-то звонит в дверь.',
    'Можешь ещё раз объяснить вторую часть попроще?',
    'Кстати, погода всю неделю была ужасной.',
  ],
  zh: [
    '谢谢，这很有帮助，请继续。',
    '我看过了，目前觉得很合理。',
    '请稍等，有人敲门。',
    '能不能把第二部分再讲得简单一点？',
    '顺便说一句，这里整个星期天气都很糟。',
  ],
};

export function userSays(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function assistantSays(text: string): LanguageModelV4Message {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

/** A call of a tool with what it printed. */
export function toolRun(
  toolCallId: string,
  toolName: string,
  input: Readonly<Record<string, string>>,
  value: string,
): readonly LanguageModelV4Message[] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
    },
  ];
}

/** What is said beside the matter. */
export function chatter(random: () => number, language: Language): string {
  return Array.from({ length: between(random, 1, 4) }, () => oneOf(random, small[language])).join(
    ' ',
  );
}

/** Lines of a log, with numbers of their own. */
export function logLines(random: () => number): string {
  return Array.from(
    { length: between(random, 4, 12) },
    () =>
      `2027-01-${between(random, 10, 28)}T0${between(random, 1, 9)}:${between(random, 10, 59)}:00Z worker ${between(random, 1, 16)} took ${between(random, 20, 900)} ms`,
  ).join('\n');
}
