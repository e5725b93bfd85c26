/** Finds the bytes of an image, audio, video or file in a sender's value: the field that holds them, and their type. */
import { mediaParts } from './dialects/media-parts.ts';
import { isObject, type JsonObject, textIn } from './json-value.ts';
import { base64OfBytes, decodeBase64, parseDataUrl } from './media-bytes.ts';
import { DATA_KEYS, factsOf, type MediaFacts, mimeTypeIn, modalityOf, URL_KEYS } from './media-facts.ts';
import { SIGNATURE_BYTES, sniffedType } from './media-type.ts';

export interface EmbeddedMedia {
  /** As stated by the sender, else detected from the bytes, else ''. */
  mimeType: string;
  modality: string;
  /** Null when there is a text that should be base64 but is not. */
  bytes: Buffer | null;
}

export const NO_FACTS: MediaFacts = { mimeType: '', modality: '', name: undefined };

/** Part types of media, and the type names of bytes in Anthropic's API and in Node. */
const MEDIA_TYPES = new Set([...Object.keys(mediaParts.typedParts ?? {}), 'base64', 'Buffer']);
const DATA: ReadonlySet<string> = new Set(DATA_KEYS);
const MEDIA_KEYS: ReadonlySet<string> = new Set([...DATA_KEYS, ...URL_KEYS]);

/** Shorter text in a field such as `image` or `content`, or that only begins like base64 of a known type, may be a name or a word. */
const NAMED_LENGTH_MIN = 64;
/** Without a stated type, base64 in a field such as `data` is read as bytes from this length, which is unlikely for other text. */
const UNNAMED_LENGTH_MIN = 512;
/** A text that begins like base64 for so long that the rest must be truncated or damaged: neither text nor bytes. */
const BROKEN = /^[A-Za-z0-9+/_-]{200}/;
const MIME_TYPE_LENGTH_MAX = 128;

/** Whether the object declares itself as media or a file. */
export function declaresMedia(value: JsonObject): boolean {
  return MEDIA_TYPES.has(textIn(value, 'type') ?? '') || mimeTypeIn(value) !== '';
}

/** What is known of the bytes in an object from its fields and from the objects around it. */
export function factsFor(value: JsonObject, outer: MediaFacts): MediaFacts {
  return factsOf(value, { ...outer, modality: modalityIn(textIn(value, 'type') ?? '') || outer.modality });
}

export function modalityIn(word: string): string {
  return /image|audio|video/.exec(word)?.[0] ?? '';
}

/** The field with the bytes of an object that is declared as media by itself or by the objects around it. */
export function findMediaField(value: JsonObject, facts: MediaFacts): { key: string; media: EmbeddedMedia } | undefined {
  for (const key of MEDIA_KEYS) {
    const field = value[key];
    const media = typeof field === 'string' ? mediaOfText(key, field, facts) : DATA.has(key) ? mediaOfNumbers(field, facts) : undefined;
    if (media !== undefined) return { key, media };
  }
  return undefined;
}

function mediaOfText(key: string, field: string, facts: MediaFacts): EmbeddedMedia | undefined {
  const dataUrl = parseDataUrl(field);
  if (dataUrl !== undefined) return media({ ...facts, mimeType: dataUrl.mimeType || facts.mimeType }, decodeBase64(dataUrl.base64));
  if (field === '' || !DATA.has(key)) return undefined;
  const isNamed = key === 'base64' || isBinary(facts);
  const isLong = key === 'base64' || field.length >= (isNamed ? NAMED_LENGTH_MIN : UNNAMED_LENGTH_MIN);
  if (!isLong && typeOfStart(field) === '') return undefined;
  const bytes = decodeBase64(field);
  return bytes !== null || (isNamed && BROKEN.test(field)) ? media(facts, bytes) : undefined;
}

/**
 * Bytes that are recognised without a declaration: a data URL, base64 that begins like a known type, a serialised Buffer, or a list of
 * numbers that begins like a known type.
 */
export function undeclaredMedia(value: unknown): EmbeddedMedia | undefined {
  if (typeof value !== 'string') return mediaOfNumbers(value, NO_FACTS);
  const dataUrl = parseDataUrl(value);
  const isBase64 = dataUrl === undefined && value.length >= NAMED_LENGTH_MIN && typeOfStart(value) !== '';
  const bytes = dataUrl !== undefined ? decodeBase64(dataUrl.base64) : isBase64 ? decodeBase64(value) : null;
  return bytes === null ? undefined : media({ ...NO_FACTS, mimeType: dataUrl?.mimeType ?? '' }, bytes);
}

/** A serialised Buffer is bytes; other lists of numbers only if the object declares media, or if they begin like a known type. */
function mediaOfNumbers(value: unknown, facts: MediaFacts): EmbeddedMedia | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isBuffer = isObject(value) && value['type'] === 'Buffer' && Array.isArray(value['data']);
  if (!isBuffer && !isBinary(facts) && sniffedType(firstNumbers(value)) === '') return undefined;
  const base64 = base64OfBytes(value);
  return base64 === undefined ? undefined : media(facts, Buffer.from(base64, 'base64'));
}

function firstNumbers(value: object): Uint8Array {
  const list = value as Readonly<Record<number, unknown>>;
  if (typeof list[0] !== 'number' || typeof list[1] !== 'number') return new Uint8Array();
  return Uint8Array.from({ length: SIGNATURE_BYTES }, (_, index) => (typeof list[index] === 'number' ? list[index] : 0));
}

/** The type detected from the beginning of a text, read as base64. */
function typeOfStart(text: string): string {
  return sniffedType(Buffer.from(text.slice(0, SIGNATURE_BYTES * 2), 'base64'));
}

function isBinary(facts: MediaFacts): boolean {
  return modalityIn(modalityOf(facts)) !== '';
}

function media(facts: MediaFacts, bytes: Buffer | null): EmbeddedMedia {
  const mimeType = facts.mimeType.slice(0, MIME_TYPE_LENGTH_MAX) || (bytes === null ? '' : sniffedType(bytes));
  return { mimeType, modality: modalityOf({ ...facts, mimeType }), bytes };
}
