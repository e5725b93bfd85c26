import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { GatewayError } from '../../shared/client.ts';
import { identityHeaders, useIdentity } from './identity.ts';

const keptMs = 60_000;
/** Media types that are kept: a blob URL has the origin of this page, so a document opened from it would act as the page. */
const shown = /^(image\/(png|jpeg|gif|webp|avif)|(audio|video)\/[\w.+-]+)$/;

async function read(path: string): Promise<Blob> {
  const answer = await fetch(path, { headers: identityHeaders() });
  if (!answer.ok) throw new GatewayError(answer.status, await answer.json().catch(() => null));
  const bytes = await answer.blob();
  return shown.test(bytes.type) ? bytes : new Blob([bytes], { type: 'application/octet-stream' });
}

/**
 * URL of gateway bytes for an image or link, which cannot send credentials: the path itself without sign-in, else a blob URL of the fetched
 * bytes. Null while loading; '' when refused.
 */
export function useBytesAt(path: string | null): string | null {
  const isOpen = useIdentity().phase === 'open';
  const bytes = useQuery({
    queryKey: ['bytes', path],
    queryFn: () => read(path ?? ''),
    enabled: !isOpen && path !== null,
    gcTime: keptMs,
  });
  const [address, setAddress] = useState<string | null>(null);
  const blob = bytes.data;
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (isOpen) return path;
  return bytes.isError ? 'data:,' : address;
}
