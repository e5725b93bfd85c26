/**
 * Media of a payload: base64 bytes in a whole read, a reference in a preview (contract: media.ts). Anybody may write a payload that looks
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
  /** A foreign address: shown, never loaded. */
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
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const first = (part: Fields, ...keys: string[]) => text(keys.map((key) => part[key]).find((value) => value !== undefined));

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/;
const isModality = (word: string): word is Modality => ['image', 'audio', 'video', 'file'].includes(word);

function modalityOf(part: Fields, mimeType: string): Modality {
  const told = text(part.modality).toLowerCase();
  if (isModality(told)) return told;
  const family = mimeType.toLowerCase().split('/')[0] ?? '';
  if (isModality(family)) return family;
  return part.type === 'image' ? 'image' : 'file';
}

export function readMedia(part: Fields): MediaPart {
  const address = first(part, 'url', 'image', 'data', 'audio', 'file');
  const inline = dataUrl.exec(address);
  const mimeType = first(part, 'mimeType', 'mediaType', 'mime_type') || (inline?.[1] ?? '');
  const sha256 = /^[0-9a-f]{64}$/.test(text(part.sha256)) ? text(part.sha256) : '';
  const blob = blobIn(address);
  const isBare =
    !inline &&
    !blob &&
    address !== '' &&
    !/^[a-z][\w+.-]*:|^\/\//i.test(address) &&
    /^[A-Za-z0-9+/_=\s-]{40,}$/.test(address.slice(0, 400));
  const base64 = text(part.base64) || (inline ? address.slice(inline[0].length) : isBare ? address : '');
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
    problem: text(part.problem),
  };
}

/** An address is believed when it is one of ours to the letter, and only for the hash in it. */
const blobIn = (address: unknown): string => /^\/v1\/agents\/blob\/([0-9a-f]{64})$/.exec(text(address))?.[1] ?? '';

/** Path of a coding agent's blob. */
export const blobPath = (sha256: string) => pathOf(agents.blob.path, { sha256 });

/** Path of the bytes, never made from a `url` in the data. */
export const mediaPath = (traceId: string, spanId: string, sha256: string) => pathOf(routes.bytes.path, { traceId, spanId, sha256 });

/** Whether a value is media: a reference, or an object with bytes. */
export function isMedia(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { type, sha256, base64, mimeType, mediaType, url } = value as Fields;
  if (type === 'media' && (typeof sha256 === 'string' || blobIn(url) !== '')) return true;
  return typeof base64 === 'string' && typeof (mimeType ?? mediaType) === 'string';
}
