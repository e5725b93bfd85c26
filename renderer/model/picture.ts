/**
 * Bytes that may be drawn as a picture. Trace text is hostile: only four raster formats, and only when the bytes begin
 * like what they claim to be. SVG, HTML and anything unknown are never drawn; addresses are never loaded.
 */
const signatures = {
  'image/png': [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  'image/jpeg': [[0xff, 0xd8, 0xff]],
  'image/gif': [
    [0x47, 0x49, 0x46, 0x38, 0x37, 0x61],
    [0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
  ],
  'image/webp': [[0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x45, 0x42, 0x50]],
} as const;

export type PictureType = keyof typeof signatures;

export type Picture = { bytes: Uint8Array<ArrayBuffer>; type: PictureType } | { refused: string };

const begins = (bytes: Uint8Array, signature: readonly number[]) => signature.every((byte, i) => byte === -1 || bytes[i] === byte);

export function readPicture(mimeType: string, base64: string): Picture {
  const claimed = mimeType.toLowerCase().split(';')[0]?.trim() ?? '';
  const allowed = Object.hasOwn(signatures, claimed);
  if (!allowed && claimed !== 'image/*' && claimed !== '') return { refused: `${claimed} is not shown in the page` };
  let binary: string;
  try {
    binary = atob(base64.replace(/\s+/g, ''));
  } catch {
    return { refused: 'The bytes are not valid base64, or were cut off' };
  }
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const found = (Object.keys(signatures) as PictureType[]).find((type) => signatures[type].some((each) => begins(bytes, each)));
  if (!found) return { refused: 'The bytes do not begin like a PNG, JPEG, GIF or WebP picture' };
  if (allowed && found !== claimed) return { refused: `Sent as ${claimed}, but the bytes are ${found}` };
  return { bytes, type: found };
}

export const base64Bytes = (base64: string) => Math.floor((base64.replace(/[\s=]+/g, '').length * 3) / 4);
