import clsx from 'clsx';
import { useState } from 'react';

const clamps = { 2: 'line-clamp-2', 4: 'line-clamp-4', 8: 'line-clamp-8' } as const;

/** About as many characters as a line of an index holds; only decides whether there may be more to show. */
const lineChars = 70;

interface ClampedProps {
  text: string;
  lines: keyof typeof clamps;
  mono?: boolean;
  tone?: 'fg' | 'quiet' | 'dim' | 'err';
}

const tones = { fg: 'text-fg', quiet: 'text-fg-2', dim: 'text-fg-3', err: 'text-err' };

/** First lines of a text; the rest opens on request. */
export function Clamped({ text, lines, mono, tone = 'fg' }: ClampedProps) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > lines * lineChars || text.split('\n', lines + 1).length > lines;
  return (
    <div className="min-w-0">
      <p
        className={clsx(
          'wrap-anywhere whitespace-pre-wrap',
          mono ? 'font-mono text-row' : 'text-body',
          tones[tone],
          !isWhole && clamps[lines],
        )}
      >
        {text.trim()}
      </p>
      {isLong && (
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isWhole}
          onClick={(event) => {
            event.stopPropagation();
            setWhole(!isWhole);
          }}
          className="text-fg-3 text-label hover:text-fg"
        >
          {isWhole ? 'less' : 'more'}
        </button>
      )}
    </div>
  );
}
