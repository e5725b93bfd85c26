import type { Dialect, PartReader } from '../dialect.ts';
import { mediaIn } from '../media.ts';

const as =
  (modality: string): PartReader =>
  (value) =>
    mediaIn(value, modality);

/**
 * Every part type that names a medium. The names overlap between dialects (`image` is AI SDK, Anthropic, Bedrock, LangChain and
 * OpenInference), the carriers do not, so one reader looks for the carrier.
 */
export const mediaParts: Dialect = {
  typedParts: {
    image: as('image'),
    image_url: as('image'),
    input_image: as('image'),
    output_image: as('image'),
    'image-url': as('image'),
    audio: as('audio'),
    input_audio: as('audio'),
    output_audio: as('audio'),
    'audio-url': as('audio'),
    video: as('video'),
    video_url: as('video'),
    'video-url': as('video'),
    file: as('file'),
    input_file: as('file'),
    document: as('file'),
    'document-url': as('file'),
    binary: as(''),
    blob: as(''),
    uri: as(''),
    media: as(''),
    media_url: as(''),
    'reasoning-file': as(''),
  },
  untypedPart: (value) => (typeof value['base64'] === 'string' && hasMimeType(value) ? mediaIn(value) : undefined),
};

/** The shape of generated media in the contract: string `base64` and string `mimeType` or `mediaType`. */
export function hasMimeType(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value['mimeType'] === 'string' || typeof value['mediaType'] === 'string';
}
