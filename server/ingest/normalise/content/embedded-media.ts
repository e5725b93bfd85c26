/** Finds the bytes of an image, a sound, a film or a file in a foreign value: which field holds them, and what they are. */
import { mediaParts } from './dialects/media-parts.ts';
import { isObject, type JsonObject, textIn } from './json-value.ts';
import { base64OfBytes, dataAddress, decodeBase64 } from './media-bytes.ts';
import { DATA_KEYS, factsOf, type MediaFacts, mimeTypeIn, modalityOf, URL_KEYS } from './media-facts.ts';
import { SIGNATURE_BYTES, sniffedType } from './media-type.ts';

export interface EmbeddedMedia {
  /** The sender's word, else what the bytes show, else ''. */
  mimeType: string;
  modality: string;
  /** Null when there is a text that should be base64 and is not. */
  bytes: Buffer | null;
}

export const NO_FACTS: MediaFacts = { mimeType: '', modality: '', name: undefined };

/** Part types that name a medium, and what Anthropic and Node call bytes. */
const MEDIA_TYPES = new Set([...Object.keys(mediaParts.typedParts ?? {}), 'base64', 'Buffer']);
const DATA: ReadonlySet<string> = new Set(DATA_KEYS);
const CARRIERS: ReadonlySet<string> = new Set([...DATA_KEYS, ...URL_KEYS]);

/** A shorter text in a field such as `image` or `content`, or one that only begins like base64 of a known type, may be a name or a word. */
const NAMED_LENGTH_MIN = 64;
/** Without a word on what it is, a text in a field such as `data` is bytes when nobody could have written it by hand. */
const UNNAMED_LENGTH_MIN = 512;
/** Begins like base64 for so long that the rest was cut or spoilt: no text to read, no bytes to serve. */
const BROKEN = /^[A-Za-z0-9+/_-]{200}/;
const MIME_TYPE_LENGTH_MAX = 128;

/** Whether the object itself says that it is a medium or a file. */
export function saysMedia(value: JsonObject): boolean {
  return MEDIA_TYPES.has(textIn(value, 'type') ?? '') || mimeTypeIn(value) !== '';
}

/** What an object and its surroundings say of the bytes in it. */
export function factsFor(value: JsonObject, outer: MediaFacts): MediaFacts {
  return factsOf(value, { ...outer, modality: modalityNamed(textIn(value, 'type') ?? '') || outer.modality });
}

export function modalityNamed(word: string): string {
  return /image|audio|video/.exec(word)?.[0] ?? '';
}

/** The field that holds the bytes of an object which says, or whose surroundings say, that it is a medium. */
export function carriedBy(value: JsonObject, facts: MediaFacts): { key: string; media: EmbeddedMedia } | undefined {
  for (const key of CARRIERS) {
    const field = value[key];
    const media = typeof field === 'string' ? ofText(key, field, facts) : DATA.has(key) ? ofNumbers(field, facts) : undefined;
    if (media !== undefined) return { key, media };
  }
  return undefined;
}

function ofText(key: string, field: string, facts: MediaFacts): EmbeddedMedia | undefined {
  const address = dataAddress(field);
  if (address !== undefined) return media({ ...facts, mimeType: address.mimeType || facts.mimeType }, decodeBase64(address.base64));
  if (field === '' || !DATA.has(key)) return undefined;
  const isNamed = key === 'base64' || isBinary(facts);
  const isLong = key === 'base64' || field.length >= (isNamed ? NAMED_LENGTH_MIN : UNNAMED_LENGTH_MIN);
  if (!isLong && typeOfStart(field) === '') return undefined;
  const bytes = decodeBase64(field);
  return bytes !== null || (isNamed && BROKEN.test(field)) ? media(facts, bytes) : undefined;
}

/**
 * Bytes that say by themselves that they are bytes: a data address, base64 that begins like a known type, a printed Buffer, or a list of
 * numbers that begins like a known type.
 */
export function standingAlone(value: unknown): EmbeddedMedia | undefined {
  if (typeof value !== 'string') return ofNumbers(value, NO_FACTS);
  const address = dataAddress(value);
  const isBase64 = address === undefined && value.length >= NAMED_LENGTH_MIN && typeOfStart(value) !== '';
  const bytes = address !== undefined ? decodeBase64(address.base64) : isBase64 ? decodeBase64(value) : null;
  return bytes === null ? undefined : media({ ...NO_FACTS, mimeType: address?.mimeType ?? '' }, bytes);
}

/** A printed Buffer is bytes; other lists of numbers are when the object says so, or when they begin like a known type. */
function ofNumbers(value: unknown, facts: MediaFacts): EmbeddedMedia | undefined {
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

/** What a text begins like, read as base64. */
function typeOfStart(text: string): string {
  return sniffedType(Buffer.from(text.slice(0, SIGNATURE_BYTES * 2), 'base64'));
}

function isBinary(facts: MediaFacts): boolean {
  return modalityNamed(modalityOf(facts)) !== '';
}

function media(facts: MediaFacts, bytes: Buffer | null): EmbeddedMedia {
  const mimeType = facts.mimeType.slice(0, MIME_TYPE_LENGTH_MAX) || (bytes === null ? '' : sniffedType(bytes));
  return { mimeType, modality: modalityOf({ ...facts, mimeType }), bytes };
}
