/**
 * Detects the type of bytes from their beginning. The claim of a sender alone never decides how bytes are served: anybody can write trace
 * content (docs/reference/ingest.md#media), so only types of this list, confirmed by the bytes, may be displayed or played. SVG and HTML
 * are not on it.
 */

/** Long enough for the brand of an ISO file and the document type of an EBML one. */
export const SIGNATURE_BYTES = 64;

const SIGNATURES: readonly [type: string, at: number, text: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/mpeg', 0, 'ID3'],
  ['application/pdf', 0, '%PDF-'],
  ['image/avif', 4, 'ftypavif'],
  ['image/avif', 4, 'ftypavis'],
];
/** Brands of `ftyp` that are MPEG-4; other brands are HEIC, QuickTime or unknown. */
const MP4_BRAND = /^ftyp(isom|iso[2-9]|mp4[12]|avc1|dash|M4A |M4B |M4V |MSNV|f4v )/;
const EBML = '\x1aE\xdf\xa3';

/** The type of the allow-list by the first bytes; '' for any other. */
export function sniffedType(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SIGNATURE_BYTES)).toString('latin1');
  const isRiff = start.startsWith('RIFF');
  for (const [type, at, text] of SIGNATURES) if (start.startsWith(text, at) && (isRiff || at !== 8)) return type;
  if (MP4_BRAND.test(start.slice(4))) return 'video/mp4';
  if (start.startsWith(EBML)) return start.includes('webm') ? 'video/webm' : '';
  return isMpegFrame(bytes) ? 'audio/mpeg' : '';
}

/** MP3 without a tag: eleven bits of sync, layer III, and neither a reserved version, bit rate nor sample rate. */
function isMpegFrame([first, second = 0, third = 0]: Uint8Array): boolean {
  const isSync = first === 0xff && (second & 0xe0) === 0xe0;
  return isSync && (second & 0x18) !== 0x08 && (second & 0x06) === 0x02 && third >> 4 !== 0xf && (third & 0x0c) !== 0x0c;
}

const OTHER_NAMES = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/wave', 'audio/wav'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/x-flac', 'audio/flac'],
  ['audio/m4a', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/opus', 'audio/ogg'],
  ['application/ogg', 'audio/ogg'],
]);
/** Containers that may hold only audio; their first bytes do not show it. */
const AUDIO_ONLY = new Map([
  ['audio/mp4', 'video/mp4'],
  ['audio/webm', 'video/webm'],
]);

/**
 * The type on which the sender and the bytes agree; '' when they do not, or when it is not on the list. Without a claimed type, or with a
 * range (`image/*`), the detected type is used.
 */
export function agreedType(claimed: string, bytes: Uint8Array): string {
  const name = claimed.slice(0, 128).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const type = OTHER_NAMES.get(name) ?? name;
  const sniffed = sniffedType(bytes);
  if (sniffed === '' || type === sniffed || AUDIO_ONLY.get(type) === sniffed) return sniffed === '' ? '' : type;
  const acceptsAny = type === '' || type === '*/*' || (type.endsWith('/*') && sniffed.startsWith(type.slice(0, -1)));
  return acceptsAny ? sniffed : '';
}
