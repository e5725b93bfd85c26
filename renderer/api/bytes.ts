import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { GatewayError } from '../../shared/client.ts';
import { identityHeaders, useIdentity } from './identity.ts';

const keptMs = 60_000;
/** What may keep its type: the address that is made for bytes is one of this page, and a document opened from it would act as the page. */
const shown = /^(image\/(png|jpeg|gif|webp|avif)|(audio|video)\/[\w.+-]+)$/;

async function read(path: string): Promise<Blob> {
  const answer = await fetch(path, { headers: identityHeaders() });
  if (!answer.ok) throw new GatewayError(answer.status, await answer.json().catch(() => null));
  const bytes = await answer.blob();
  return shown.test(bytes.type) ? bytes : new Blob([bytes], { type: 'application/octet-stream' });
}

/**
 * Where the page finds bytes of the gateway, for a picture or a link that cannot say who asks: the path itself where nobody is asked,
 * else the bytes as the page has fetched them. Null until they are there; a path of nothing where they are refused.
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
