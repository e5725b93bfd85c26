import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { GatewayError } from '../../shared/client.ts';
import { identityHeaders, useIdentity } from './identity.ts';

const cacheMs = 60_000;
/** Media types that are passed on: a blob URL has the origin of this page, so a document opened from it would act as the page. */
const shownTypes = /^(image\/(png|jpeg|gif|webp|avif)|(audio|video)\/[\w.+-]+)$/;

async function fetchFrom(path: string): Promise<Response> {
  const response = await fetch(path, { headers: identityHeaders() });
  if (!response.ok) throw new GatewayError(response.status, await response.json().catch(() => null));
  return response;
}

/** The text of a reply that is not JSON. */
export const fetchText = async (path: string): Promise<string> => (await fetchFrom(path)).text();

async function fetchBlob(path: string): Promise<Blob> {
  const bytes = await (await fetchFrom(path)).blob();
  return shownTypes.test(bytes.type) ? bytes : new Blob([bytes], { type: 'application/octet-stream' });
}

/**
 * URL of gateway bytes for an image or link, which cannot send credentials: the path itself without sign-in, else a blob URL of the fetched
 * bytes. Null while loading; '' when refused.
 */
export function useBytesAt(path: string | null): string | null {
  const isOpen = useIdentity().phase === 'open';
  const bytes = useQuery({
    queryKey: ['bytes', path],
    queryFn: () => fetchBlob(path ?? ''),
    enabled: !isOpen && path !== null,
    gcTime: cacheMs,
  });
  const [blobUrl, setBlobUrl] = useState<string | null>(null);
  const blob = bytes.data;
  useEffect(() => {
    if (!blob) return;
    const objectUrl = URL.createObjectURL(blob);
    setBlobUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [blob]);
  if (isOpen) return path;
  return bytes.isError ? 'data:,' : blobUrl;
}
