import type { Field } from './fact.ts';
import { dateOf, dollars } from './numeric-values.ts';
import { spelled, type Language, type Value } from './value.ts';

/** How a record tells of a call that an agent made in the corpora. */
export interface CallStatement {
  readonly field: Field;
  readonly told: Readonly<Record<Language, string>>;
  readonly paraphrase: string;
}

const changed: CallStatement = {
  field: 'keyPoints',
  told: {
    en: 'The file {path} was edited.',
    de: 'Die Datei {path} wurde bearbeitet.',
    es: 'Se editó el archivo {path}.',
    fr: 'Le fichier {path} a été modifié.',
    ru: 'Файл {path} был изменён.',
    zh: '文件 {path} 已被修改。',
  },
  paraphrase: 'Work was done in {path}.',
};

const opened: CallStatement = {
  field: 'keyPoints',
  told: {
    en: 'The assistant opened {path}.',
    de: 'Der Assistent öffnete {path}.',
    es: 'El asistente abrió {path}.',
    fr: 'L’assistant a ouvert {path}.',
    ru: 'Помощник открыл {path}.',
    zh: '助手打开了 {path}。',
  },
  paraphrase: '{path} was looked into.',
};

/** By the name of the tool, and its command where it has several; names in braces are those of its arguments. */
export const callStatements: Readonly<Record<string, CallStatement>> = {
  'str_replace_editor view': opened,
  'str_replace_editor str_replace': changed,
  'str_replace_editor create': changed,
  open: opened,
  cancel_reservation: {
    field: 'decisions',
    told: {
      en: 'It was decided to cancel reservation {reservation_id}.',
      de: 'Es wurde beschlossen, die Buchung {reservation_id} zu stornieren.',
      es: 'Se decidió cancelar la reserva {reservation_id}.',
      fr: 'Il a été décidé d’annuler la réservation {reservation_id}.',
      ru: 'Решено отменить бронирование {reservation_id}.',
      zh: '决定取消预订 {reservation_id}。',
    },
    paraphrase: 'The reservation {reservation_id} gets cancelled.',
  },
  update_reservation_flights: {
    field: 'decisions',
    told: {
      en: 'Reservation {reservation_id} is changed to flight {flight_number} on {date}.',
      de: 'Die Buchung {reservation_id} wird auf Flug {flight_number} am {date} geändert.',
      es: 'La reserva {reservation_id} se cambia al vuelo {flight_number} del {date}.',
      fr: 'La réservation {reservation_id} passe au vol {flight_number} du {date}.',
      ru: 'Бронирование {reservation_id} меняется на рейс {flight_number} {date}.',
      zh: '预订 {reservation_id} 改为 {date} 的航班 {flight_number}。',
    },
    paraphrase:
      'Flight {flight_number} on {date} takes the place of the old one in {reservation_id}.',
  },
  book_reservation: {
    field: 'decisions',
    told: {
      en: 'The user {user_id} books flight {flight_number} on {date} from {origin} to {destination}.',
      de: 'Der Nutzer {user_id} bucht den Flug {flight_number} am {date} von {origin} nach {destination}.',
      es: 'El usuario {user_id} reserva el vuelo {flight_number} del {date} de {origin} a {destination}.',
      fr: 'L’utilisateur {user_id} réserve le vol {flight_number} du {date} de {origin} à {destination}.',
      ru: 'Пользователь {user_id} бронирует рейс {flight_number} {date} из {origin} в {destination}.',
      zh: '用户 {user_id} 预订 {date} 从 {origin} 到 {destination} 的航班 {flight_number}。',
    },
    paraphrase:
      'Flight {flight_number} ({origin} to {destination}, {date}) was booked for {user_id}.',
  },
  search_direct_flight: {
    field: 'keyPoints',
    told: {
      en: 'Direct flights from {origin} to {destination} on {date} were searched.',
      de: 'Direktflüge von {origin} nach {destination} am {date} wurden gesucht.',
      es: 'Se buscaron vuelos directos de {origin} a {destination} para el {date}.',
      fr: 'Des vols directs de {origin} à {destination} le {date} ont été cherchés.',
      ru: 'Искали прямые рейсы из {origin} в {destination} на {date}.',
      zh: '搜索了 {date} 从 {origin} 到 {destination} 的直飞航班。',
    },
    paraphrase: 'The assistant looked for nonstop connections {origin}-{destination} on {date}.',
  },
  get_reservation_details: {
    field: 'keyPoints',
    told: {
      en: 'The details of reservation {reservation_id} were read.',
      de: 'Die Einzelheiten der Buchung {reservation_id} wurden gelesen.',
      es: 'Se leyeron los detalles de la reserva {reservation_id}.',
      fr: 'Les détails de la réservation {reservation_id} ont été lus.',
      ru: 'Прочитаны данные бронирования {reservation_id}.',
      zh: '读取了预订 {reservation_id} 的详情。',
    },
    paraphrase: 'The assistant looked up {reservation_id}.',
  },
  send_certificate: {
    field: 'keyPoints',
    told: {
      en: 'A certificate of {amount} was sent to {user_id}.',
      de: 'Ein Gutschein über {amount} ging an {user_id}.',
      es: 'Se envió un certificado de {amount} a {user_id}.',
      fr: 'Un bon de {amount} a été envoyé à {user_id}.',
      ru: 'Сертификат на {amount} отправлен {user_id}.',
      zh: '已向 {user_id} 发送 {amount} 的代金券。',
    },
    paraphrase: '{user_id} got a voucher worth {amount}.',
  },
};

/** The arguments of a call by their names, those of lists too: of several alike the first. */
export function valuesOfCall(input: unknown): Readonly<Record<string, Value>> {
  const values: Record<string, Value> = {};
  const add = (name: string, entry: unknown): void => {
    if (typeof entry === 'object' && entry !== null) {
      for (const [key, inner] of Object.entries(entry)) add(key, inner);
    } else if (typeof entry === 'string' && entry !== '') values[name] ??= valueOf(entry);
    else if (typeof entry === 'number') values[name] ??= dollars(entry);
  };
  add('', input);
  return values;
}

function valueOf(text: string): Value {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dateOf(new Date(`${text}T00:00:00Z`), 2);
  const reformatted = text.includes('/') ? `./${text.replace(/^\//, '')}` : `\`${text}\``;
  const digit = /\d/.exec(text);
  const wrong =
    digit === null ? `${text}x` : text.replace(/\d/, String((Number(digit[0]) + 5) % 10));
  return spelled(text, text.startsWith('/') ? text : reformatted, () => valueOf(wrong));
}
