import type { Message, Prompt } from '../../prompt/messages/prompt-types.ts';
import { fileNote, withFiles, type FilePart } from '../../planning/selection/sent-messages.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import { utf8Length } from '../../foundations/util/strings.ts';

/** Limits of a request beside tokens. */
export interface RequestLimits {
  readonly maxRequestBytes?: number | undefined;
  readonly maxImages?: number | undefined;
}

/** Size of a request beside tokens. */
export interface RequestSize {
  /** About as many as its JSON has, files as base64. */
  readonly bytes: number;
  readonly images: number;
}

/** A picture or file of a prompt, in the order in which they stand. */
interface Medium {
  readonly message: number;
  readonly bytes: number;
  readonly isImage: boolean;
}

/** How much of a limit stays empty after something gave way, so that the beginning of prompts is the same for a while. */
const slackOfImages = 1 / 2;
const slackOfBytes = 1 / 4;
const tooMuch = 'a request holds only so much';

/**
 * Measures a request.
 *
 * @param overhead - Bytes of tools and response schema.
 */
export function requestSize(prompt: readonly Message[], overhead: number): RequestSize {
  const media = mediaOf(prompt);
  return {
    bytes: overhead + sumOf(prompt, bytesOfTexts) + sumOf(media, ({ bytes }) => bytes),
    images: media.filter(({ isImage }) => isImage).length,
  };
}

/**
 * Lets old pictures and files give way to a note where a request holds more than it may; those of the newest message
 * that has some always stay. Media are dropped in steps, half of the pictures and a quarter of the bytes, so that
 * calls in a row begin with the same bytes.
 *
 * @returns The same prompt where nothing gives way.
 */
export function fitMedia(
  prompt: Prompt,
  { maxRequestBytes = Infinity, maxImages = Infinity }: RequestLimits,
  overhead: number,
): Prompt {
  if (maxRequestBytes === Infinity && maxImages === Infinity) return prompt;
  const media = mediaOf(prompt);
  const newest = media.at(-1)?.message;
  if (newest === undefined) return prompt;
  const { bytes, images } = requestSize(prompt, overhead);
  let leastBytes = inSteps(bytes - maxRequestBytes, maxRequestBytes * slackOfBytes);
  let leastImages = inSteps(images - maxImages, Math.floor(maxImages * slackOfImages));
  const gone = new Set<number>();
  for (const [place, { message, bytes: size, isImage }] of media.entries()) {
    const gives = leastBytes > 0 || (leastImages > 0 && isImage);
    if (message === newest || !gives) continue;
    gone.add(place);
    leastBytes -= size;
    if (isImage) leastImages -= 1;
  }
  if (gone.size === 0) return prompt;
  let place = -1;
  return prompt.map((message) =>
    withFiles(message, (file) => (gone.has((place += 1)) ? fileNote(file, tooMuch) : file)),
  );
}

/** The excess, rounded up to whole steps; 0 without any. */
function inSteps(over: number, step: number): number {
  const whole = Math.max(1, step);
  return over > 0 ? Math.ceil(over / whole) * whole : 0;
}

function mediaOf(prompt: readonly Message[]): readonly Medium[] {
  const media: Medium[] = [];
  for (const [message, each] of prompt.entries())
    withFiles(each, (file) => {
      media.push({ message, bytes: bytesOf(file), isImage: /^image/i.test(file.mediaType) });
      return file;
    });
  return media;
}

/** Bytes of a file in a request: of base64 as they are, of raw ones four for three. */
function bytesOf({ data }: FilePart): number {
  if (data.type === 'url') return data.url.href.length;
  if (data.type === 'text') return utf8Length(data.text);
  if (data.type !== 'data') return 0;
  return typeof data.data === 'string' ? data.data.length : Math.ceil((data.data.length * 4) / 3);
}

/** Bytes of a message without its files. */
function bytesOfTexts(message: Message): number {
  const textual = withFiles(message, () => ({ type: 'text', text: '' }));
  return utf8Length(JSON.stringify(textual.content));
}
