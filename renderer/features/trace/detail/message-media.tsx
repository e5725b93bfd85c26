import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useBytesAt } from '../../../api/bytes.ts';
import { blobPath, type MediaPart, mediaPath } from '../../../model/trace/media.ts';
import { MediaView } from '../../../ui/viewers/media-view.tsx';

/** Span of the shown payload. Media are fetched by its ids and their hash, never by a URL in the payload. */
export const MediaSpan = createContext<{ traceId: string; spanId: string } | null>(null);

/** For traces that are shared without their media. */
export const WithoutMedia = createContext(false);

const hex = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Null where the browser forbids hashing (plain HTTP from another machine), or where the text is not base64. */
async function hashOf(base64: string): Promise<{ sha256: string; size: number } | null> {
  try {
    const standard = base64.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(standard), (char) => char.charCodeAt(0));
    return { sha256: hex(await crypto.subtle.digest('SHA-256', bytes)), size: bytes.length };
  } catch {
    return null;
  }
}

/** Media of a message. They are fetched from the gateway, which verifies them, whether the payload is whole or a preview. */
export function MessageMedia({ part }: { part: MediaPart }) {
  const mediaSpan = useContext(MediaSpan);
  const isLeftOut = useContext(WithoutMedia);
  const { sha256, base64 } = part;
  const hashed = useQuery({
    queryKey: [
      'media-hash',
      mediaSpan?.spanId,
      base64.length,
      ...[0, base64.length >> 1, -64].map((from) => base64.slice(from, from === -64 ? undefined : from + 64)),
    ],
    queryFn: () => hashOf(base64),
    enabled: base64 !== '',
    gcTime: 60_000,
  });
  const hash = sha256 || hashed.data?.sha256 || '';
  const own = mediaSpan && hash ? mediaPath(mediaSpan.traceId, mediaSpan.spanId, hash) : null;
  const src = useBytesAt(isLeftOut ? null : part.blob ? blobPath(part.blob) : own);
  return (
    <MediaView
      modality={part.modality}
      mimeType={part.mimeType}
      name={part.name}
      size={part.size ?? hashed.data?.size ?? null}
      src={src}
      url={part.url}
      problem={
        isLeftOut ? 'Media are not shared' : part.problem || (hashed.data === null ? 'The data is not valid base64, or was cut off' : '')
      }
    />
  );
}
