import type { Statement } from './statement.ts';
import { path, ticket } from './named-values.ts';
import { count, money, time } from './numeric-values.ts';

/** Rules of the user. */
export const rules: readonly [Statement, ...Statement[]] = [
  {
    kind: 'rule',
    by: 'user',
    values: { file: path },
    said: {
      en: 'Never touch {file} without asking me first.',
      de: 'Ändere niemals {file}, ohne mich vorher zu fragen.',
      es: 'Nunca toques {file} sin preguntarme antes.',
      fr: 'Ne touchez jamais à {file} sans me demander d’abord.',
      ru: 'Никогда не меняй {file}, не спросив меня.',
      zh: '不要在没有问我之前修改 {file}。',
    },
    told: {
      en: 'The user forbade touching {file} without asking first.',
      de: 'Der Nutzer verbot, {file} ohne Rückfrage zu ändern.',
      es: 'El usuario prohibió tocar {file} sin preguntar antes.',
      fr: 'L’utilisateur a interdit de toucher à {file} sans demander.',
      ru: 'Пользователь запретил менять {file} без вопроса.',
      zh: '用户禁止未经询问修改 {file}。',
    },
    paraphrase: '{file} must not be touched unless the user was asked first.',
    negated: 'Touch {file} without asking me first.',
  },
  {
    kind: 'rule',
    by: 'user',
    values: { lines: count },
    said: {
      en: 'Always keep your answers under {lines} paragraphs.',
      de: 'Halte deine Antworten immer unter {lines} Absätzen.',
      es: 'Mantén siempre tus respuestas por debajo de {lines} párrafos.',
      fr: 'Gardez toujours vos réponses sous {lines} paragraphes.',
      ru: 'Всегда отвечай короче чем в {lines} абзаца.',
      zh: '回答必须始终少于 {lines} 段。',
    },
    told: {
      en: 'Answers must always stay under {lines} paragraphs.',
      de: 'Antworten müssen immer unter {lines} Absätzen bleiben.',
      es: 'Las respuestas deben quedar siempre por debajo de {lines} párrafos.',
      fr: 'Les réponses doivent toujours rester sous {lines} paragraphes.',
      ru: 'Ответы всегда должны быть короче {lines} абзацев.',
      zh: '回答必须始终少于 {lines} 段。',
    },
    paraphrase: 'The user wants every answer to be shorter than {lines} paragraphs.',
    negated: 'Never keep your answers under {lines} paragraphs.',
  },
  {
    kind: 'rule',
    by: 'user',
    values: { limit: money },
    said: {
      en: 'Do not spend more than {limit} on a single order.',
      de: 'Gib niemals mehr als {limit} für eine einzelne Bestellung aus.',
      es: 'Nunca gastes más de {limit} en un solo pedido.',
      fr: 'Ne dépensez jamais plus de {limit} pour une seule commande.',
      ru: 'Никогда не трать больше {limit} на один заказ.',
      zh: '单个订单不得超过 {limit}。',
    },
    told: {
      en: 'No single order may cost more than {limit}.',
      de: 'Keine einzelne Bestellung darf mehr als {limit} kosten.',
      es: 'Ningún pedido puede costar más de {limit}.',
      fr: 'Aucune commande ne doit coûter plus de {limit}.',
      ru: 'Один заказ не должен стоить больше {limit}.',
      zh: '任何单个订单的费用不得超过 {limit}。',
    },
    paraphrase: 'Spending on one order is limited to {limit}.',
    negated: 'Do spend more than {limit} on a single order.',
  },
  {
    kind: 'rule',
    by: 'user',
    values: { ticket, start: time },
    said: {
      en: 'Only deploy {ticket} after {start}, never earlier.',
      de: 'Spiele {ticket} immer erst nach {start} ein, niemals früher.',
      es: 'Despliega {ticket} siempre después de las {start}, nunca antes.',
      fr: 'Déployez {ticket} toujours après {start}, jamais avant.',
      ru: 'Выкатывай {ticket} только после {start}, никогда раньше.',
      zh: '{ticket} 只能在 {start} 之后部署。',
    },
    told: {
      en: 'The user allows {ticket} to be deployed only after {start}.',
      de: 'Der Nutzer erlaubt das Einspielen von {ticket} erst nach {start}.',
      es: 'El usuario permite desplegar {ticket} solo después de las {start}.',
      fr: 'L’utilisateur permet de déployer {ticket} seulement après {start}.',
      ru: 'Пользователь разрешает выкатывать {ticket} только после {start}.',
      zh: '用户只允许在 {start} 之后部署 {ticket}。',
    },
    paraphrase: 'Deployment of {ticket} has to wait until {start} has passed.',
    negated: 'Deploy {ticket} before {start}.',
  },
];
