import clsx from 'clsx';
import { useState } from 'react';

const clamps = { 2: 'line-clamp-2', 4: 'line-clamp-4', 8: 'line-clamp-8' } as const;

/** Approximate characters per line; only decides whether a "more" button is shown. */
const lineChars = 70;

interface ClampedProps {
  text: string;
  lines: keyof typeof clamps;
  mono?: boolean;
  tone?: 'fg' | 'quiet' | 'dim' | 'err';
}

const tones = { fg: 'text-fg', quiet: 'text-fg-2', dim: 'text-fg-3', err: 'text-err' };

/** First lines of a text; the rest is shown on request. */
export function Clamped({ text, lines, mono, tone = 'fg' }: ClampedProps) {
  const [isExpanded, setExpanded] = useState(false);
  const isLong = text.length > lines * lineChars || text.split('\n', lines + 1).length > lines;
  return (
    <div className="min-w-0">
      <p
        className={clsx(
          'wrap-anywhere whitespace-pre-wrap',
          mono ? 'font-mono text-row' : 'text-body',
          tones[tone],
          !isExpanded && clamps[lines],
        )}
      >
        {text.trim()}
      </p>
      {isLong && (
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isExpanded}
          onClick={(event) => {
            event.stopPropagation();
            setExpanded(!isExpanded);
          }}
          className="text-fg-3 text-label hover:text-fg"
        >
          {isExpanded ? 'Show less' : 'Show more'}
        </button>
      )}
    </div>
  );
}
