import clsx from 'clsx';
import type { ElementType, ReactNode } from 'react';

const sizes = { label: 'text-label', row: 'text-row', body: 'text-body', section: 'text-section', title: 'text-title' };
const tones = {
  fg: 'text-fg',
  quiet: 'text-fg-2',
  dim: 'text-fg-3',
  err: 'text-err',
  ok: 'text-ok',
  warm: 'text-warm',
  accent: 'text-accent',
};

export type Tone = keyof typeof tones;

interface TextProps {
  as?: ElementType;
  size?: keyof typeof sizes;
  tone?: Tone;
  /** Monospaced, for program text. */
  mono?: boolean;
  strong?: boolean;
  /** One line, truncated with an ellipsis. */
  cut?: boolean;
  className?: string;
  title?: string | undefined;
  children?: ReactNode;
}

export function Text({ as: Tag = 'span', size = 'row', tone = 'fg', mono, strong, cut, className, title, children }: TextProps) {
  return (
    <Tag
      title={title}
      className={clsx(sizes[size], tones[tone], mono && 'font-mono', strong && 'font-strong', cut && 'min-w-0 truncate', className)}
    >
      {children}
    </Tag>
  );
}
