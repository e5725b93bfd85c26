import type { Part } from '../normalised.ts';
import { isObject, type JsonObject, textIn } from './json-value.ts';
import { base64OfBytes, parseDataUrl } from './media-bytes.ts';
import { DATA_KEYS, factsOf, type MediaFacts, modalityOf, NESTED_KEYS, URL_KEYS } from './media-facts.ts';

type Media = Extract<Part, { type: 'media' }>;

const NESTING_MAX = 4;

/**
 * Images, audio, video and files in every shape that senders use (docs/reference/ingest.md#media): `{mimeType, base64}`, data URLs,
 * OTel `blob`, Anthropic and Bedrock `source`, OpenAI `image_url`, `input_audio` and `file`, Gemini `inlineData`, OpenInference
 * `image.image.url`, byte arrays. Undefined when the object carries neither bytes, nor a URL, nor a file id.
 */
export function mediaIn(value: JsonObject, modality = ''): Media | undefined {
  return mediaAt(value, { mimeType: '', modality, name: undefined }, 0);
}

function mediaAt(value: JsonObject, outer: MediaFacts, depth: number): Media | undefined {
  // A plain-text document source of Anthropic's API is not bytes.
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

/** Bytes: base64 text, a data URL, a link where bytes are allowed (AI SDK `image`), a serialised Buffer or a list of numbers. */
function mediaFromData(data: unknown, facts: MediaFacts): Media | undefined {
  if (typeof data === 'string') {
    if (data === '') return undefined;
    return isUrl(data) ? mediaFromUrl(data, facts) : media(facts, { base64: data });
  }
  const base64 = base64OfBytes(data);
  return base64 === undefined ? undefined : media(facts, { base64 });
}

function isUrl(text: string): boolean {
  return text.startsWith('data:') || text.startsWith('https://') || text.startsWith('http://');
}

/** A link, or the bytes of a data URL. */
function mediaFromUrl(url: string, facts: MediaFacts): Media {
  const dataUrl = parseDataUrl(url);
  if (dataUrl === undefined) return media(facts, { url });
  return media({ ...facts, mimeType: dataUrl.mimeType || facts.mimeType }, { base64: dataUrl.base64 });
}

function media(facts: MediaFacts, location: { base64: string } | { url: string } | { fileId: string }): Media {
  const part: Media = { type: 'media', mimeType: facts.mimeType, modality: modalityOf(facts), ...location };
  if (facts.name !== undefined) part.name = facts.name;
  return part;
}
