/**
 * Media of a payload: base64 bytes in a full read, a reference in a preview (contract: media.ts). A sender can forge a payload that looks
 * like a reference: only its hash is used, in a request to the gateway.
 */
import { pathOf } from '../../../shared/client.ts';
import { agents } from '../../../shared/contract/tracing/agents.ts';
import { media as routes } from '../../../shared/contract/tracing/media.ts';

export type Modality = 'image' | 'audio' | 'video' | 'file';

export interface MediaPart {
  type: 'media';
  mimeType: string;
  modality: Modality;
  base64: string;
  /** External address. Shown, never loaded. */
  url: string;
  /** Hash of bytes stored by the gateway; '' for none. */
  sha256: string;
  /** The hash of a blob that a coding agent sent beside its events; '' for anything else. */
  blob: string;
  size: number | null;
  name: string;
  problem: string;
}

type Fields = Record<string, unknown>;
const asText = (value: unknown) => (typeof value === 'string' ? value : '');
const first = (part: Fields, ...keys: string[]) => asText(keys.map((key) => part[key]).find((value) => value !== undefined));

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/;
const isModality = (word: string): word is Modality => ['image', 'audio', 'video', 'file'].includes(word);

function modalityOf(part: Fields, mimeType: string): Modality {
  const declared = asText(part.modality).toLowerCase();
  if (isModality(declared)) return declared;
  const family = mimeType.toLowerCase().split('/')[0] ?? '';
  if (isModality(family)) return family;
  return part.type === 'image' ? 'image' : 'file';
}

export function readMedia(part: Fields): MediaPart {
  const address = first(part, 'url', 'image', 'data', 'audio', 'file');
  const inline = dataUrl.exec(address);
  const mimeType = first(part, 'mimeType', 'mediaType', 'mime_type') || (inline?.[1] ?? '');
  const sha256 = /^[0-9a-f]{64}$/.test(asText(part.sha256)) ? asText(part.sha256) : '';
  const blob = blobIn(address);
  const isPlainBase64 =
    !inline &&
    !blob &&
    address !== '' &&
    !/^[a-z][\w+.-]*:|^\/\//i.test(address) &&
    /^[A-Za-z0-9+/_=\s-]{40,}$/.test(address.slice(0, 400));
  const base64 = asText(part.base64) || (inline ? address.slice(inline[0].length) : isPlainBase64 ? address : '');
  return {
    type: 'media',
    mimeType,
    modality: modalityOf(part, mimeType),
    base64: sha256 ? '' : base64,
    url: sha256 || base64 || blob ? '' : address,
    sha256,
    blob,
    size: typeof part.size === 'number' && Number.isFinite(part.size) ? part.size : null,
    name: first(part, 'name', 'filename', 'fileName'),
    problem: asText(part.problem),
  };
}

/** The hash in an address that matches our blob path exactly; '' for any other address. */
const blobIn = (address: unknown): string => /^\/v1\/agents\/blob\/([0-9a-f]{64})$/.exec(asText(address))?.[1] ?? '';

/** Path of a coding agent's blob. */
export const blobPath = (sha256: string) => pathOf(agents.blob.path, { sha256 });

/** Path of the bytes. It is never derived from a `url` in the data. */
export const mediaPath = (traceId: string, spanId: string, sha256: string) => pathOf(routes.bytes.path, { traceId, spanId, sha256 });

/** Whether a value is media: a reference, or an object with bytes. */
export function isMedia(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { type, sha256, base64, mimeType, mediaType, url } = value as Fields;
  if (type === 'media' && (typeof sha256 === 'string' || blobIn(url) !== '')) return true;
  return typeof base64 === 'string' && typeof (mimeType ?? mediaType) === 'string';
}
