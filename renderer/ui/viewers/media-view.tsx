import { useState } from 'react';
import { bytes } from '../../model/text/format.ts';
import type { Modality } from '../../model/trace/media.ts';
import { CopyIcon } from '../primitives/copy-button.tsx';
import { Text } from '../primitives/text.tsx';

interface MediaViewProps {
  modality: Modality;
  mimeType: string;
  name: string;
  size: number | null;
  /** URL of the bytes at the gateway, which checks their type; null while unknown. */
  src: string | null;
  /** External address. Shown but never loaded: loading would tell its owner that the trace is being read. */
  url: string;
  problem: string;
}

export function MediaView({ modality, mimeType, name, size, src, url, problem }: MediaViewProps) {
  const [hasFailed, setFailed] = useState(false);
  const facts = [name, mimeType || modality, size === null ? '' : bytes(size)].filter(Boolean).join(', ');
  if (url)
    return (
      <div className="flex items-center gap-2">
        <Text tone="dim" className="shrink-0">
          not loaded
        </Text>
        <Text mono className="wrap-anywhere min-w-0">
          {url.length > 400 ? `${url.slice(0, 400)}…` : url}
        </Text>
        <CopyIcon text={() => url} label="Copy address" />
      </div>
    );
  if (problem || !src)
    return (
      <Text tone="dim" className="wrap-anywhere">
        {problem ? `${facts}. ${problem}.` : facts}
      </Text>
    );
  const onError = () => setFailed(true);
  return (
    <figure className="grid justify-items-start gap-1">
      {modality === 'image' && !hasFailed && (
        <img
          src={src}
          loading="lazy"
          alt={`Sent in the trace, ${facts}`}
          onError={onError}
          className="max-h-image max-w-full rounded-control border border-line"
        />
      )}
      {/* biome-ignore-start lint/a11y/useMediaCaption: recordings in a trace have no captions */}
      {modality === 'audio' && !hasFailed && <audio src={src} controls preload="metadata" onError={onError} />}
      {modality === 'video' && !hasFailed && (
        <video
          src={src}
          controls
          preload="metadata"
          onError={onError}
          className="max-h-image max-w-full rounded-control border border-line"
        />
      )}
      {/* biome-ignore-end lint/a11y/useMediaCaption: as above */}
      <figcaption className="flex items-center gap-2 text-fg-3 text-label">
        <span className="wrap-anywhere">{facts}</span>
        {hasFailed && <span>not shown: the bytes are not what they claim to be</span>}
        <a href={src} download={(name || `media-${modality}`).replace(/[^\w.-]+/g, '_')} className="shrink-0 text-accent hover:underline">
          Save
        </a>
      </figcaption>
    </figure>
  );
}
