import { type JsonObject, textIn } from './json-value.ts';

/** What is known about media before its bytes or URL are found. */
export interface MediaFacts {
  mimeType: string;
  modality: string;
  name: string | undefined;
}

const MIME_KEYS = ['mimeType', 'mediaType', 'mime_type', 'media_type', 'contentType'] as const;

/** The keys of bytes, of a URL, or of an object with either, in all dialects. */
export const DATA_KEYS = ['base64', 'data', 'content', 'bytes', 'binary_content', 'file_data', 'image', 'audio', 'video', 'file'] as const;
export const URL_KEYS = ['url', 'uri', 'file_uri', 'fileUri', 'file_url', 'image_url', 'audio_url', 'video_url'] as const;
export const NESTED_KEYS = [
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

export function mimeTypeIn(value: JsonObject): string {
  for (const key of MIME_KEYS) {
    const mimeType = textIn(value, key);
    if (mimeType) return mimeType;
  }
  return '';
}

export function factsOf(value: JsonObject, outer: MediaFacts): MediaFacts {
  const mimeType = outer.mimeType || mimeTypeIn(value) || mimeOfFormat(textIn(value, 'format'), outer.modality);
  const name = outer.name ?? textIn(value, 'filename') ?? textIn(value, 'file_name') ?? textIn(value, 'title');
  return { mimeType, modality: textIn(value, 'modality') ?? outer.modality, name };
}

/** OpenAI and Bedrock name a format (`wav`, `png`) where others name a media type. */
function mimeOfFormat(format: string | undefined, modality: string): string {
  if (!format || format.includes('/') || format.length > 16) return '';
  if (format === 'pdf') return 'application/pdf';
  return modality === '' || modality === 'file' ? '' : `${modality}/${format}`;
}

export function modalityOf(facts: MediaFacts): string {
  const family = facts.mimeType.slice(0, facts.mimeType.indexOf('/'));
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  return facts.modality || 'file';
}
