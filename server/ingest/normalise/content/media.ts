import type { Part } from '../normalised.ts';
import { isObject, type JsonObject, textIn } from './json-value.ts';

type Media = Extract<Part, { type: 'media' }>;

/** What is known about a media before its bytes or address are found. */
interface MediaFacts {
  mimeType: string;
  modality: string;
  name: string | undefined;
}

const MIME_KEYS = ['mimeType', 'mediaType', 'mime_type', 'media_type', 'contentType'] as const;
const DATA_KEYS = ['base64', 'data', 'content', 'bytes', 'binary_content', 'file_data', 'image', 'audio', 'video', 'file'] as const;
const URL_KEYS = ['url', 'uri', 'file_uri', 'fileUri', 'file_url', 'image_url', 'audio_url', 'video_url'] as const;
const NESTED_KEYS = [
  'source',
  'image',
  'audio',
  'video',
  'document',
  'file',
  'image_url',
  'input_audio',
  'inlineData',
  'fileData',
] as const;
const NESTING_MAX = 4;

/**
 * Images, audio, video and files in every shape of ingest 3.2: `{mimeType, base64}`, data addresses, OTel `blob`, Anthropic and Bedrock
 * `source`, OpenAI `image_url`, `input_audio` and `file`, Gemini `inlineData`, OpenInference `image.image.url`, byte arrays.
 * Undefined when the object carries neither bytes, nor an address, nor a file id.
 */
export function mediaIn(value: JsonObject, modality = ''): Media | undefined {
  return mediaAt(value, { mimeType: '', modality, name: undefined }, 0);
}

function mediaAt(value: JsonObject, outer: MediaFacts, depth: number): Media | undefined {
  // Anthropic's document source of plain text: not bytes.
  if (depth > 0 && value['type'] === 'text') return undefined;
  const facts = factsOf(value, outer);
  for (const key of DATA_KEYS) {
    const found = mediaFromData(value[key], facts);
    if (found !== undefined) return found;
  }
  for (const key of URL_KEYS) {
    const url = textIn(value, key);
    if (url) return mediaFromUrl(url, facts);
  }
  const fileId = textIn(value, 'file_id') ?? textIn(value, 'fileId');
  if (fileId) return media(facts, { fileId });
  if (depth >= NESTING_MAX) return undefined;
  for (const key of NESTED_KEYS) {
    const inner = value[key];
    const found = isObject(inner) ? mediaAt(inner, facts, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function factsOf(value: JsonObject, outer: MediaFacts): MediaFacts {
  let mimeType = outer.mimeType;
  for (const key of MIME_KEYS) mimeType ||= textIn(value, key) ?? '';
  if (mimeType === '') mimeType = mimeOfFormat(textIn(value, 'format'), outer.modality);
  const name = outer.name ?? textIn(value, 'filename') ?? textIn(value, 'file_name') ?? textIn(value, 'title');
  return { mimeType, modality: textIn(value, 'modality') ?? outer.modality, name };
}

/** OpenAI and Bedrock name a format (`wav`, `png`) where others name a media type. */
function mimeOfFormat(format: string | undefined, modality: string): string {
  if (!format || format.includes('/') || format.length > 16) return '';
  if (format === 'pdf') return 'application/pdf';
  return modality === '' || modality === 'file' ? '' : `${modality}/${format}`;
}

/** Bytes: base64 text, a data address, a link where bytes are allowed (AI SDK `image`), a printed Buffer or a list of numbers. */
function mediaFromData(data: unknown, facts: MediaFacts): Media | undefined {
  if (typeof data === 'string') {
    if (data === '') return undefined;
    return isAddress(data) ? mediaFromUrl(data, facts) : media(facts, { base64: data });
  }
  const base64 = base64OfBytes(data);
  return base64 === undefined ? undefined : media(facts, { base64 });
}

function isAddress(text: string): boolean {
  return text.startsWith('data:') || text.startsWith('https://') || text.startsWith('http://');
}

/** A link, or the bytes of a data address. */
function mediaFromUrl(url: string, facts: MediaFacts): Media {
  if (!url.startsWith('data:')) return media(facts, { url });
  const comma = url.indexOf(',');
  const header = comma < 0 ? '' : url.slice(5, Math.min(comma, 512));
  if (!header.endsWith(';base64')) return media(facts, { url });
  const mimeType = header.slice(0, header.indexOf(';')) || facts.mimeType;
  return media({ ...facts, mimeType }, { base64: url.slice(comma + 1) });
}

/**
 * Base64 of bytes that JSON turned into numbers: `{type:"Buffer",data:[…]}` (AI SDK `ai.prompt`), `[…]`, or `{"0":137,"1":80}` (a printed
 * Uint8Array). Undefined unless every element is a byte.
 */
function base64OfBytes(value: unknown): string | undefined {
  const numbers = isObject(value) ? (Array.isArray(value['data']) ? value['data'] : indexedBytes(value)) : value;
  if (!Array.isArray(numbers) || numbers.length === 0) return undefined;
  for (const byte of numbers) {
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) return undefined;
  }
  return Buffer.from(numbers as number[]).toString('base64');
}

function indexedBytes(value: JsonObject): unknown[] | undefined {
  return value['0'] === undefined || value['1'] === undefined ? undefined : Object.values(value);
}

function media(facts: MediaFacts, where: { base64: string } | { url: string } | { fileId: string }): Media {
  const part: Media = { type: 'media', mimeType: facts.mimeType, modality: modalityOf(facts), ...where };
  if (facts.name !== undefined) part.name = facts.name;
  return part;
}

function modalityOf(facts: MediaFacts): string {
  const family = facts.mimeType.slice(0, facts.mimeType.indexOf('/'));
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  return facts.modality || 'file';
}
