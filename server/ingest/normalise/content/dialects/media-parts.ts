import type { Dialect, PartReader } from '../dialect.ts';
import { mediaIn } from '../media.ts';

const readerOf =
  (modality: string): PartReader =>
  (value) =>
    mediaIn(value, modality);

/**
 * All part types of media. The types overlap between dialects (`image` is AI SDK, Anthropic, Bedrock, LangChain and OpenInference), but
 * the fields with the data do not, so one reader looks for these fields.
 */
export const mediaParts: Dialect = {
  typedParts: {
    image: readerOf('image'),
    image_url: readerOf('image'),
    input_image: readerOf('image'),
    output_image: readerOf('image'),
    'image-url': readerOf('image'),
    audio: readerOf('audio'),
    input_audio: readerOf('audio'),
    output_audio: readerOf('audio'),
    'audio-url': readerOf('audio'),
    video: readerOf('video'),
    video_url: readerOf('video'),
    'video-url': readerOf('video'),
    file: readerOf('file'),
    input_file: readerOf('file'),
    document: readerOf('file'),
    'document-url': readerOf('file'),
    binary: readerOf(''),
    blob: readerOf(''),
    uri: readerOf(''),
    media: readerOf(''),
    media_url: readerOf(''),
    'reasoning-file': readerOf(''),
  },
  untypedPart: (value) => (typeof value['base64'] === 'string' && hasMimeType(value) ? mediaIn(value) : undefined),
};

/** The shape of generated media in the contract: string `base64` and string `mimeType` or `mediaType`. */
export function hasMimeType(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value['mimeType'] === 'string' || typeof value['mediaType'] === 'string';
}
