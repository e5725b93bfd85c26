import { useEffect, useMemo, useState } from 'react';
import { bytes } from '../model/format.ts';
import { base64Bytes, readPicture } from '../model/picture.ts';
import { CopyIcon } from './copy-button.tsx';
import { Text } from './text.tsx';

interface PictureViewProps {
  mimeType: string;
  base64: string;
  /** An address is shown and never loaded: loading it would tell its owner that the trace is being read. */
  url: string;
}

export function PictureView({ mimeType, base64, url }: PictureViewProps) {
  const picture = useMemo(() => (base64 ? readPicture(mimeType, base64) : null), [mimeType, base64]);
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (!picture || 'refused' in picture) return;
    const made = URL.createObjectURL(new Blob([picture.bytes], { type: picture.type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);

  if (url)
    return (
      <div className="flex items-center gap-2">
        <Text tone="dim">not loaded</Text>
        <Text mono className="wrap-anywhere min-w-0">
          {url}
        </Text>
        <CopyIcon text={() => url} label="Copy address" />
      </div>
    );
  const facts = [mimeType || 'media', base64 ? bytes(base64Bytes(base64)) : 'no bytes were sent'].join(', ');
  if (!picture || 'refused' in picture)
    return <Text tone="dim">{`${facts}. ${picture && 'refused' in picture ? `${picture.refused}.` : ''}`}</Text>;
  return (
    <figure className="grid justify-items-start gap-1">
      {address && (
        <img src={address} alt={`Sent in the trace, ${facts}`} className="max-h-image max-w-full rounded-control border border-line" />
      )}
      <figcaption className="text-fg-3 text-label">{facts}</figcaption>
    </figure>
  );
}
